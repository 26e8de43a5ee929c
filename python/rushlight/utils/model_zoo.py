"""Downloads under their older name: see `rushlight.hub`."""

from rushlight.hub import load_state_dict_from_url as load_url

__all__ = ["load_url"]
