"""Calls for meta tensors of operators that have neither a case for values nor a sample for derivatives."""

from __future__ import annotations

from typing import Any

import rushlight as torch

linalg, ops = torch._C._linalg, torch._C._VariableFunctions
X = torch.rand(2, 3)
PERMUTED = torch.rand(3, 2, 4).permute(2, 0, 1)
ZERO, ONE = torch.tensor(0.0), torch.tensor(1.0)
LDL = linalg.linalg_ldl_factor_ex(torch.eye(3) + 1)

# made on a device that is named
CREATED: dict[str, tuple[Any, ...]] = {
    "arange": (torch.arange, 5),
    "arange.start": (torch.arange, 1.5, 5),
    "arange.start_step": (torch.arange, 1, 9, 3),
    "bartlett_window": (torch.bartlett_window, 4),
    "bartlett_window.periodic": (torch.bartlett_window, 4, False),
    "blackman_window": (torch.blackman_window, 4),
    "blackman_window.periodic": (torch.blackman_window, 4, False),
    "empty.memory_format": (torch.empty, (2, 3)),
    "empty_permuted": (torch.empty_permuted, (2, 3, 4), (2, 0, 1)),
    "empty_strided": (torch.empty_strided, (2, 3), (1, 2)),
    "eye": (torch.eye, 3),
    "eye.m": (torch.eye, 3, 4),
    "fft_fftfreq": (torch.fft.fftfreq, 5, 0.5),
    "fft_rfftfreq": (torch.fft.rfftfreq, 5, 0.5),
    "full": (torch.full, (2, 3), 2),
    "hann_window": (torch.hann_window, 4),
    "hann_window.periodic": (torch.hann_window, 4, False),
    "hamming_window": (torch.hamming_window, 4),
    "hamming_window.periodic": (torch.hamming_window, 4, False),
    "hamming_window.periodic_alpha": (torch.hamming_window, 4, False, 0.5),
    "hamming_window.periodic_alpha_beta": (torch.hamming_window, 4, False, 0.5, 0.4),
    "kaiser_window": (torch.kaiser_window, 4),
    "kaiser_window.periodic": (torch.kaiser_window, 4, False),
    "kaiser_window.beta": (torch.kaiser_window, 4, False, 9.0),
    "linspace": (torch.linspace, 0, 1, 4),
    "logspace": (torch.logspace, 0, 1, 4),
    "ones": (torch.ones, (2, 3)),
    "scalar_tensor": (torch.scalar_tensor, 3),
    "range": (torch.range, 1, 3),
    "range.step": (torch.range, 1, 7, 2),
    "zeros": (torch.zeros, (2, 3)),
    "tril_indices": (torch.tril_indices, 3, 4),
    "triu_indices": (torch.triu_indices, 3, 4, 1),
    "rand": (torch.rand, (2, 3)),
    "randint": (torch.randint, 9, (2, 3)),
    "randint.low": (torch.randint, 1, 9, (2, 3)),
    "randn": (torch.randn, (2, 3)),
    "randperm": (torch.randperm, 4),
    "normal.float_float": (torch.normal, 0.0, 1.0, (2, 3)),
}  # fmt: skip

# made where the tensors are that they are given
CALLED: dict[str, tuple[Any, ...]] = {
    "_int_mm": (torch._int_mm, torch.ones(2, 3, dtype=torch.int8), torch.ones(3, 4, dtype=torch.int8)),
    "new_empty": (torch.Tensor.new_empty, X, (4,)),
    "new_empty_strided": (torch.Tensor.new_empty_strided, X, (2, 3), (1, 2)),
    "new_full": (torch.Tensor.new_full, X, (4,), 2),
    "new_zeros": (torch.Tensor.new_zeros, X, (4,)),
    "new_ones": (torch.Tensor.new_ones, X, (4,)),
    "empty_like": (torch.empty_like, PERMUTED),
    "full_like": (torch.full_like, PERMUTED, 2),
    "ones_like": (torch.ones_like, PERMUTED),
    "zeros_like": (torch.zeros_like, PERMUTED),
    "rand_like": (torch.rand_like, PERMUTED),
    "randn_like": (torch.randn_like, PERMUTED),
    "randint_like": (torch.randint_like, PERMUTED, 4),
    "randint_like.Tensor": (torch.randint_like, PERMUTED, torch.tensor(4)),
    "linspace.Tensor_Tensor": (torch.linspace, ZERO, ONE, 4),
    "linspace.Tensor_Scalar": (torch.linspace, ZERO, 1, 4),
    "linspace.Scalar_Tensor": (torch.linspace, 0, ONE, 4),
    "logspace.Tensor_Tensor": (torch.logspace, ZERO, ONE, 4),
    "logspace.Tensor_Scalar": (torch.logspace, ZERO, 1, 4),
    "logspace.Scalar_Tensor": (torch.logspace, 0, ONE, 4),
    "randint_like.low_dtype": (torch.randint_like, PERMUTED, 1, 4),
    "geqrf": (torch.geqrf, X),
    "linalg_ldl_factor_ex": (linalg.linalg_ldl_factor_ex, torch.eye(3)),
    "linalg_ldl_solve": (linalg.linalg_ldl_solve, LDL[0], LDL[1], torch.rand(3, 2)),
    "_linalg_eigvals": (torch.linalg.eigvals, torch.eye(3)),
    "embedding_renorm_": (torch.embedding_renorm_, X, torch.tensor([0, 1]), 1.0, 2.0),
    "bernoulli.p": (torch.bernoulli, X, 0.5),
    "_standard_gamma": (torch._standard_gamma, X),
    "_sample_dirichlet": (torch._sample_dirichlet, X),
    "binomial": (torch.binomial, X + 2, X),
    "multinomial": (torch.multinomial, X, 2),
    "normal.Tensor_float": (torch.normal, X, 1.0),
    "normal.float_Tensor": (torch.normal, 0.0, X),
    "normal.Tensor_Tensor": (torch.normal, X, X),
    "_standard_gamma_grad": (ops._standard_gamma_grad, X, X),
    "_dirichlet_grad": (ops._dirichlet_grad, X, X, X),
}  # fmt: skip
