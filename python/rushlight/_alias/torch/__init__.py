"""`torch` for processes that find this folder's parent on their path: hands over to `rushlight.compat`."""

import sys

del sys.modules[__name__]  # install() refuses to replace a torch that is already there; this one is only its door

from rushlight.compat import install  # noqa: E402

install()
