"""rushlight: PyTorch's eager programming model, small and fast; `import rushlight as torch` runs the script.

Operators and types come from the extension module `rushlight._C`; whatever is written in Python is imported when it is
first named. To add a public name that lives in a submodule, add it to `_ATTRIBUTES`; to add a submodule, to `_SUBMODULES`.
Operators shadow builtins in this namespace (`abs`, `all`, `float`, ...): keep functions out of this file.
"""

# ruff: noqa: F401 - names imported here are there for users
from __future__ import annotations

import sys as _sys
from math import e, inf, nan, pi

from . import _C
from .version import __version__

newaxis = None

_SUBMODULES = frozenset(
    """
    __config__ __future__ _VF _dynamo _functorch _inductor _jit_internal _logging _ops _quantized _tensor _tensor_str _utils _vmap
    accelerator amp ao array_api autograd backends classes compat compiler cpu cuda distributed distributions export fft func functional
    futures fx hub jit library linalg masked monitor mps mtia multiprocessing nested nn npz onnx ops optim overrides package
    profiler quantization quasirandom random return_types safetensors serialization signal sparse special storage testing
    torch_version types utils version xpu
    """.split()
)

_ATTRIBUTES = {
    name: module
    for module, names in {
        "_grad_mode": "no_grad enable_grad set_grad_enabled inference_mode",
        "_settings": """
            set_default_dtype set_default_device get_default_device set_default_tensor_type
            use_deterministic_algorithms are_deterministic_algorithms_enabled
            is_deterministic_algorithms_warn_only_enabled set_deterministic_debug_mode get_deterministic_debug_mode
            set_float32_matmul_precision get_float32_matmul_precision set_warn_always is_warn_always_enabled
            compiled_with_cxx11_abi get_device_module has_lapack has_mkl has_mkldnn has_openmp has_spectral has_cuda
            has_mps has_cudnn""",
        "_autocast_devices": """
            get_autocast_gpu_dtype get_autocast_ipu_dtype get_autocast_xla_dtype is_autocast_ipu_enabled
            is_autocast_xla_enabled set_autocast_cpu_dtype set_autocast_cpu_enabled set_autocast_gpu_dtype
            set_autocast_ipu_dtype set_autocast_ipu_enabled set_autocast_xla_dtype set_autocast_xla_enabled""",
        "_legacy_types": """
            BFloat16Tensor BoolTensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor IntTensor LongTensor
            ShortTensor""",
        "_predicates": "is_tensor is_nonzero is_storage typename _assert _check _check_with _check_index _check_value "
        "_check_type _check_not_implemented _check_tensor_all _check_tensor_all_with _check_is_size",
        "_tensor_str": "set_printoptions",
        "_quantized": """
            qscheme per_tensor_affine per_channel_affine per_tensor_symmetric per_channel_symmetric
            per_channel_affine_float_qparams quantize_per_tensor quantize_per_tensor_dynamic quantize_per_channel
            empty_quantized""",
        "_file_reader": "PyTorchFileReader",
        "_symbolic": """
            SymInt SymFloat SymBool sym_float sym_int sym_ite sym_max sym_min sym_not sym_sqrt sym_sum sym_fresh_size
            cond while_loop _constrain_as_size _sym_acos _sym_asin _sym_atan _sym_cos _sym_cosh _sym_log2 _sym_sin
            _sym_sinh _sym_sqrt _sym_tan _sym_tanh""",
        "compiler": "compile _disable_dynamo",
        "func": "vmap",
        "futures": "Future",
        "utils.dlpack": "to_dlpack",
        "amp": "autocast GradScaler",
        "jit": "ScriptModule ScriptFunction ScriptObject fork wait",
        "cpu": "Stream Event",
        "random": "manual_seed seed initial_seed get_rng_state set_rng_state thread_safe_generator",
        "serialization": "save load",
        "storage": """
            UntypedStorage TypedStorage BFloat16Storage BoolStorage ByteStorage CharStorage ComplexDoubleStorage
            ComplexFloatStorage DoubleStorage FloatStorage HalfStorage IntStorage LongStorage ShortStorage""",
        "functional": """
            atleast_1d atleast_2d atleast_3d block_diag broadcast_shapes broadcast_tensors cartesian_prod cdist
            chain_matmul einsum eig istft lobpcg lstsq lu matrix_rank meshgrid norm pca_lowrank solve split stft
            svd_lowrank symeig tensordot unique unique_consecutive unravel_index from_file spmm
            _segment_reduce""",
        "sparse": """
            sparse_coo_tensor sparse_csr_tensor sparse_csc_tensor sparse_bsr_tensor sparse_bsc_tensor
            sparse_compressed_tensor""",
        "_foreach": """
            _foreach_abs _foreach_abs_ _foreach_acos _foreach_acos_ _foreach_add _foreach_add_
            _foreach_addcdiv _foreach_addcdiv_ _foreach_addcmul _foreach_addcmul_ _foreach_asin
            _foreach_asin_ _foreach_atan _foreach_atan_ _foreach_ceil _foreach_ceil_ _foreach_clamp_max
            _foreach_clamp_max_ _foreach_clamp_min _foreach_clamp_min_ _foreach_clone _foreach_copy_
            _foreach_cos _foreach_cos_ _foreach_cosh _foreach_cosh_ _foreach_div _foreach_div_ _foreach_erf
            _foreach_erf_ _foreach_erfc _foreach_erfc_ _foreach_exp _foreach_exp_ _foreach_expm1
            _foreach_expm1_ _foreach_floor _foreach_floor_ _foreach_frac _foreach_frac_ _foreach_lerp
            _foreach_lerp_ _foreach_lgamma _foreach_lgamma_ _foreach_log _foreach_log10 _foreach_log10_
            _foreach_log1p _foreach_log1p_ _foreach_log2 _foreach_log2_ _foreach_log_ _foreach_max
            _foreach_maximum _foreach_maximum_ _foreach_minimum _foreach_minimum_ _foreach_mm _foreach_mul
            _foreach_mul_ _foreach_neg _foreach_neg_ _foreach_norm _foreach_pow _foreach_pow_
            _foreach_powsum _foreach_reciprocal _foreach_reciprocal_ _foreach_round _foreach_round_
            _foreach_rsqrt _foreach_rsqrt_ _foreach_sigmoid _foreach_sigmoid_ _foreach_sign _foreach_sign_
            _foreach_sin _foreach_sin_ _foreach_sinh _foreach_sinh_ _foreach_sqrt _foreach_sqrt_
            _foreach_sub _foreach_sub_ _foreach_tan _foreach_tan_ _foreach_tanh _foreach_tanh_
            _foreach_trunc _foreach_trunc_ _foreach_zero_""",
    }.items()
    for name in names.split()
}


def _take_names() -> None:
    """Put what the extension offers into this namespace, except what a Python function replaces."""
    module_type = type(_sys)
    here = globals()
    for source in (_C._VariableFunctions, _C):
        for name, value in vars(source).items():
            if not name.startswith("__") and name not in _ATTRIBUTES and not isinstance(value, module_type):
                here.setdefault(name, value)


_take_names()
Tensor = _C.Tensor

from ._grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled  # noqa: E402
from ._tensor import install as _install  # noqa: E402

_install(Tensor)


def _internal(name: str) -> object:
    """What the extension does not have is looked for in `_internals.py`."""
    if name.startswith("__"):
        raise AttributeError(f"module 'torch._C' has no attribute '{name}'")
    from . import _internals

    return _internals.find(name)


_C.__getattr__ = _internal  # type: ignore[method-assign]


def __getattr__(name: str) -> object:
    module = _ATTRIBUTES.get(name)
    if module is None:
        if name not in _SUBMODULES:
            raise AttributeError(f"module 'torch' has no attribute '{name}'")
        __import__(f"{__name__}.{name}")
        return _sys.modules[f"{__name__}.{name}"]
    __import__(f"{__name__}.{module}")
    value = getattr(_sys.modules[f"{__name__}.{module}"], name)
    globals()[name] = value
    return value


torch = _sys.modules[__name__]  # PyTorch's package is an attribute of itself


def __dir__() -> list[str]:
    return sorted({*globals(), *_ATTRIBUTES, *_SUBMODULES})
