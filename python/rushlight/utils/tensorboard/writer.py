"""The writer of event files: values are made plain here, `tensorboardX` writes them."""

from __future__ import annotations

import importlib
from typing import Any

from rushlight import Tensor

__all__ = ["SummaryWriter"]


def _backend() -> Any:
    try:
        return importlib.import_module("tensorboardX")
    except ImportError:
        raise ModuleNotFoundError(
            "SummaryWriter: event files are written by tensorboardX, which is not installed; "
            "pip install tensorboardX"
        ) from None


def _plain(value: Any) -> Any:
    """Tensors as arrays or numbers, in containers too."""
    if isinstance(value, Tensor):
        value = value.detach().cpu()
        return value.item() if value.dim() == 0 else value.numpy()
    if isinstance(value, dict):
        return {key: _plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_plain(v) for v in value)
    return value


class SummaryWriter:
    """Writes event files into `log_dir` (by default a new folder in runs/).

    All `add_*` functions take tensors where they take arrays. Raises ModuleNotFoundError where
    tensorboardX is not installed.
    """

    def __init__(
        self,
        log_dir: str | None = None,
        comment: str = "",
        purge_step: int | None = None,
        max_queue: int = 10,
        flush_secs: int = 120,
        filename_suffix: str = "",
    ) -> None:
        self._writer = _backend().SummaryWriter(
            log_dir,
            comment=comment,
            purge_step=purge_step,
            max_queue=max_queue,
            flush_secs=flush_secs,
            filename_suffix=filename_suffix,
        )
        self.log_dir = self._writer.logdir

    def get_logdir(self) -> str:
        """The folder of the event files."""
        return str(self.log_dir)

    def add_scalar(
        self,
        tag: str,
        scalar_value: Any,
        global_step: int | None = None,
        walltime: float | None = None,
        new_style: bool = False,
        double_precision: bool = False,
    ) -> None:
        """One point of a curve."""
        value = float(_plain(scalar_value))
        self._writer.add_scalar(tag, value, global_step, walltime)

    def add_scalars(
        self,
        main_tag: str,
        tag_scalar_dict: dict[str, Any],
        global_step: int | None = None,
        walltime: float | None = None,
    ) -> None:
        """One point of several curves in one picture."""
        values = {key: float(_plain(v)) for key, v in tag_scalar_dict.items()}
        self._writer.add_scalars(main_tag, values, global_step, walltime)

    def add_hparams(
        self,
        hparam_dict: dict[str, Any],
        metric_dict: dict[str, Any],
        hparam_domain_discrete: Any = None,
        run_name: str | None = None,
        global_step: int | None = None,
    ) -> None:
        """The options of a run and what came of it."""
        self._writer.add_hparams(_plain(hparam_dict), _plain(metric_dict), run_name, global_step)

    def add_graph(
        self, model: Any, input_to_model: Any = None, verbose: bool = False, **kwargs: Any
    ) -> None:
        """Graphs of modules are not traced."""
        raise NotImplementedError("SummaryWriter.add_graph: modules are not traced to graphs")

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("add_"):
            raise AttributeError(name)
        target = getattr(self._writer, name)

        def add(*args: Any, **kwargs: Any) -> Any:
            return target(*_plain(args), **_plain(kwargs))

        return add

    def flush(self) -> None:
        """Write everything out."""
        self._writer.flush()

    def close(self) -> None:
        """Write everything out and end."""
        self._writer.close()

    def __enter__(self) -> SummaryWriter:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
