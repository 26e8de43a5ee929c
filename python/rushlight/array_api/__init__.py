"""The Python array API standard, version 2025.12, on tensors: `import rushlight.array_api as xp`.

Functions have the standard's names, arguments and result types. Where the standard and the `torch` namespace disagree
(0-dim arrays in type promotion, empty axes, `nan` in `sign`, batches of vectors in `solve`, ...) these functions follow
the standard, and so do the operators of the arrays that they make, which are tensors of the class `Array`. Functions take
plain tensors as well and give plain tensors for them, whose operators (`x + y`) are PyTorch's; `asarray` makes them arrays.
One file per chapter of the standard; a new function goes into its chapter's file and that file's `__all__`.

https://data-apis.org/array-api/2025.12/
"""

# ruff: noqa: F401 - names imported here are there for users
from __future__ import annotations

from math import e, inf, nan, pi

from .._C import (  # noqa: A004
    bool,
    complex64,
    complex128,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from . import fft, linalg
from ._array import Array
from ._creation import *  # noqa: F403
from ._data_types import *  # noqa: F403
from ._elementwise import *  # noqa: F403
from ._indexing import *  # noqa: F403
from ._inspection import __array_namespace_info__
from ._linear_algebra import *  # noqa: F403
from ._manipulation import *  # noqa: F403
from ._searching import *  # noqa: F403
from ._sets import *  # noqa: F403
from ._sorting import *  # noqa: F403
from ._statistical import *  # noqa: F403
from ._utility import *  # noqa: F403
from ._version import __array_api_version__

newaxis = None
