"""Pruning: masks that keep chosen elements of parameters at zero."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

import rushlight
from rushlight import Tensor

from ..parameter import Parameter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class BasePruningMethod(ABC):
    """A rule that says which elements to keep; a subclass defines `compute_mask`.

    The parameter `name` becomes the product of `name`_orig, which is trained, and the buffer
    `name`_mask, formed before every forward.
    """

    _tensor_name: str
    PRUNING_TYPE: str

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask for importances `t`, given the mask so far."""

    def apply_mask(self, module: Any) -> Tensor:
        """The masked parameter."""
        name = getattr(self, "_tensor_name", None)
        if name is None:
            raise AssertionError(f"Module {module} has to be pruned")
        mask = getattr(module, name + "_mask")
        original = getattr(module, name + "_orig")
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(
        cls, module: Any, name: str, *args: Any, importance_scores: Any = None, **kwargs: Any
    ) -> Any:
        """Prunes the parameter `name` of `module` by this rule, after those there are already.

        Args:
            module: has the parameter.
            name: of the parameter.
            args: arguments of the rule.
            importance_scores: what the rule looks at instead of the parameter.
            kwargs: arguments of the rule.
        """
        old = [
            (key, hook)
            for key, hook in module._forward_pre_hooks.items()
            if isinstance(hook, BasePruningMethod) and hook._tensor_name == name
        ]
        if len(old) > 1:
            raise AssertionError(
                f"Avoid adding multiple pruning hooks to the same tensor {name} of module "
                f"{module}. Use a PruningContainer."
            )
        method: Any = cls(*args, **kwargs)
        method._tensor_name = name
        pruned_before = bool(old)
        if pruned_before:
            existing = old[0][1]
            if isinstance(existing, PruningContainer):
                existing.add_pruning_method(method)
                container = existing
            else:
                container = PruningContainer(existing)
                container.add_pruning_method(method)
            method = container

        current = getattr(module, name)
        original = getattr(module, name + "_orig") if pruned_before else current
        if importance_scores is None:
            importance_scores = original
        elif importance_scores.shape != current.shape:
            raise AssertionError(
                "importance_scores should have the same shape as parameter "
                f"{name} of {module}, got {importance_scores.shape} vs {current.shape}"
            )
        if pruned_before:
            default_mask = getattr(module, name + "_mask").detach()
            default_mask = default_mask.clone(memory_format=rushlight.contiguous_format)
        else:
            default_mask = rushlight.ones_like(original)
        # Computed before anything changes: a wrong argument leaves the module as it was.
        mask = method.compute_mask(importance_scores, default_mask=default_mask)

        if pruned_before:
            del module._forward_pre_hooks[old[0][0]]
            setattr(module, name + "_mask", mask)
        else:
            if not isinstance(original, Parameter):
                raise TypeError(f"'{name}' of {module} is not a parameter")
            module.register_parameter(name + "_orig", original)
            del module._parameters[name]
            module.register_buffer(name + "_mask", mask)
        setattr(module, name, method.apply_mask(module))
        module.register_forward_pre_hook(method)
        return method

    def prune(
        self, t: Tensor, default_mask: Tensor | None = None, importance_scores: Any = None
    ) -> Tensor:
        """`t` masked by this rule."""
        if importance_scores is None:
            importance_scores = t
        elif importance_scores.shape != t.shape:
            raise AssertionError("importance_scores should have the same shape as tensor t")
        if default_mask is None:
            default_mask = rushlight.ones_like(t)
        return t * self.compute_mask(importance_scores, default_mask=default_mask)

    def remove(self, module: Any) -> None:
        """Makes the masked parameter an ordinary one."""
        name = getattr(self, "_tensor_name", None)
        if name is None:
            raise AssertionError(f"Module {module} has to be pruned before pruning can be removed")
        weight = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        original = module._parameters[name + "_orig"]
        original.data = weight.data
        del module._parameters[name + "_orig"]
        del module._buffers[name + "_mask"]
        setattr(module, name, original)


class PruningContainer(BasePruningMethod):
    """Several rules for one parameter, applied one after the other."""

    def __init__(self, *args: Any) -> None:
        self._pruning_methods: tuple[BasePruningMethod, ...] = ()
        if not args:
            return
        methods = args if len(args) > 1 or not isinstance(args[0], Iterable) else tuple(args[0])
        self._tensor_name = methods[0]._tensor_name
        for method in methods:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: BasePruningMethod | None) -> None:
        """Adds a rule at the end."""
        if method is None:
            return
        if not isinstance(method, BasePruningMethod):
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if self._tensor_name != method._tensor_name:
            raise ValueError(
                "Can only add pruning methods acting on the parameter named "
                f"'{self._tensor_name}' to PruningContainer {self}. Found "
                f"'{method._tensor_name}'"
            )
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Any:
        return iter(self._pruning_methods)

    def __getitem__(self, idx: Any) -> Any:
        return self._pruning_methods[idx]

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask after the last rule, which sees only what is left so far."""
        method = self._pruning_methods[-1]
        mask = default_mask.to(dtype=t.dtype)
        kind = method.PRUNING_TYPE
        if kind == "unstructured":
            part: Any = mask == 1
        elif kind == "structured":
            dim = method.dim  # type: ignore[attr-defined]
            if dim < 0:
                dim += t.dim()
            alive = mask.sum(dim=[d for d in range(t.dim()) if d != dim]) != 0
            part = (slice(None),) * dim + (alive,)
        elif kind == "global":
            part = (slice(None),) * t.dim()
        else:
            raise ValueError(f"Unrecognized PRUNING_TYPE {kind}")
        mask[part] = method.compute_mask(t[part], default_mask=mask[part])
        return mask


class Identity(BasePruningMethod):
    """Keeps everything."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask so far."""
        return default_mask

    @classmethod
    def apply(cls, module: Any, name: str) -> Any:  # type: ignore[override]
        """Gives the parameter a mask of ones."""
        return super().apply(module, name)


class _AmountMethod(BasePruningMethod):
    def __init__(self, amount: float) -> None:
        _validate_pruning_amount_init(amount)
        self.amount = amount

    def _count(self, size: int) -> int:
        count = _compute_nparams_toprune(self.amount, size)
        _validate_pruning_amount(count, size)
        return count


class RandomUnstructured(_AmountMethod):
    """Drops random elements: a count, or a share of them."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask without the drawn elements."""
        count = self._count(t.nelement())
        mask = default_mask.clone(memory_format=rushlight.contiguous_format)
        if count:
            drawn = rushlight.topk(rushlight.rand_like(t).view(-1), k=count)
            mask.view(-1)[drawn.indices] = 0
        return mask

    @classmethod
    def apply(cls, module: Any, name: str, amount: float) -> Any:  # type: ignore[override]
        """Prunes a parameter by this rule."""
        return super().apply(module, name, amount=amount)


class L1Unstructured(_AmountMethod):
    """Drops the smallest elements: a count, or a share of them."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask without the smallest elements."""
        count = self._count(t.nelement())
        mask = default_mask.clone(memory_format=rushlight.contiguous_format)
        if count:
            smallest = rushlight.topk(rushlight.abs(t).view(-1), k=count, largest=False)
            mask.view(-1)[smallest.indices] = 0
        return mask

    @classmethod
    def apply(  # type: ignore[override]
        cls, module: Any, name: str, amount: float, importance_scores: Any = None
    ) -> Any:
        """Prunes a parameter by this rule."""
        return super().apply(module, name, amount=amount, importance_scores=importance_scores)


class _ChannelMethod(_AmountMethod):
    PRUNING_TYPE = "structured"
    dim: int

    def _channel_count(self, t: Tensor) -> int:
        _validate_structured_pruning(t)
        _validate_pruning_dim(t, self.dim)
        size = t.shape[self.dim]
        count = _compute_nparams_toprune(self.amount, size)
        _validate_pruning_amount(count, size)
        return count

    def _kept(self, t: Tensor, kept: Tensor) -> Tensor:
        """A mask of the shape of `t` that is 1 in the channels `kept`."""
        mask = rushlight.zeros_like(t)
        part: list[Any] = [slice(None)] * t.dim()
        part[self.dim] = kept
        mask[tuple(part)] = 1
        return mask


class RandomStructured(_ChannelMethod):
    """Drops random channels along `dim`: a count, or a share of them."""

    def __init__(self, amount: float, dim: int = -1) -> None:
        super().__init__(amount)
        self.dim = dim

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask without the drawn channels."""
        count = self._channel_count(t)
        if count == 0:
            return default_mask
        probability = rushlight.rand(t.shape[self.dim])
        threshold = rushlight.kthvalue(probability, k=count).values
        mask = self._kept(t, probability > threshold)
        return mask * default_mask.to(dtype=mask.dtype)

    @classmethod
    def apply(  # type: ignore[override]
        cls, module: Any, name: str, amount: float, dim: int = -1
    ) -> Any:
        """Prunes a parameter by this rule."""
        return super().apply(module, name, amount=amount, dim=dim)


class LnStructured(_ChannelMethod):
    """Drops the channels along `dim` of smallest n-norm: a count, or a share of them."""

    def __init__(self, amount: float, n: Any, dim: int = -1) -> None:
        super().__init__(amount)
        self.n = n
        self.dim = dim

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask without the smallest channels."""
        count = self._channel_count(t)
        if count == 0:
            return default_mask
        norm = _compute_norm(t, self.n, self.dim)
        largest = rushlight.topk(norm, k=t.shape[self.dim] - count, largest=True)
        mask = self._kept(t, largest.indices)
        return mask * default_mask.to(dtype=mask.dtype)

    @classmethod
    def apply(  # type: ignore[override]
        cls,
        module: Any,
        name: str,
        amount: float,
        n: Any,
        dim: int,
        importance_scores: Any = None,
    ) -> Any:
        """Prunes a parameter by this rule."""
        return super().apply(
            module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores
        )


class CustomFromMask(BasePruningMethod):
    """Multiplies the mask so far by a given one."""

    PRUNING_TYPE = "global"

    def __init__(self, mask: Tensor) -> None:
        self.mask = mask

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The product of both masks."""
        if default_mask.shape != self.mask.shape:
            raise AssertionError("mask must have the shape of the parameter")
        return default_mask * self.mask.to(dtype=default_mask.dtype)

    @classmethod
    def apply(cls, module: Any, name: str, mask: Tensor) -> Any:  # type: ignore[override]
        """Prunes a parameter by this mask."""
        return super().apply(module, name, mask=mask)


def identity(module: Any, name: str) -> Any:
    """Gives a parameter a mask of ones."""
    Identity.apply(module, name)
    return module


def random_unstructured(module: Any, name: str, amount: float) -> Any:
    """Drops random elements of a parameter: a count, or a share of them."""
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module: Any, name: str, amount: float, importance_scores: Any = None) -> Any:
    """Drops the smallest elements of a parameter: a count, or a share of them.

    >>> layer = l1_unstructured(rushlight.nn.Linear(2, 2), "weight", amount=1)
    >>> int((layer.weight == 0).sum())
    1
    """
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module: Any, name: str, amount: float, dim: int) -> Any:
    """Drops random channels of a parameter along `dim`: a count, or a share of them."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(
    module: Any,
    name: str,
    amount: float,
    n: Any,
    dim: int,
    importance_scores: Any = None,
) -> Any:
    """Drops the channels of a parameter along `dim` of smallest n-norm."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def global_unstructured(
    parameters: Any, pruning_method: Any, importance_scores: Any = None, **kwargs: Any
) -> None:
    """Prunes several parameters as if they were one.

    Args:
        parameters: pairs of module and parameter name.
        pruning_method: a rule for elements.
        importance_scores: by pair, what the rule looks at instead of the parameter.
        kwargs: arguments of the rule.
    """
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    parameters = list(parameters)
    importance_scores = {} if importance_scores is None else importance_scores
    if not isinstance(importance_scores, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")

    def flat(pick: Any) -> Tensor:
        return rushlight.cat([pick(module, name).reshape(-1) for module, name in parameters])

    importance = flat(
        lambda module, name: importance_scores.get((module, name), getattr(module, name))
    )
    default_mask = flat(
        lambda module, name: getattr(
            module, name + "_mask", rushlight.ones_like(getattr(module, name))
        )
    )
    container = PruningContainer()
    container._tensor_name = "temp"
    method = pruning_method(**kwargs)
    method._tensor_name = "temp"
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method '
            f"{pruning_method} of type {method.PRUNING_TYPE}"
        )
    container.add_pruning_method(method)
    final = container.compute_mask(importance, default_mask)
    start = 0
    for module, name in parameters:
        param = getattr(module, name)
        count = param.numel()
        custom_from_mask(module, name, mask=final[start : start + count].view_as(param))
        start += count


def custom_from_mask(module: Any, name: str, mask: Tensor) -> Any:
    """Multiplies a parameter by a given mask."""
    CustomFromMask.apply(module, name, mask)
    return module


def remove(module: Any, name: str) -> Any:
    """Makes a pruned parameter an ordinary one that holds the pruned values."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(
        f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed"
    )


def is_pruned(module: Any) -> bool:
    """Whether any parameter of `module` or below is pruned."""
    return any(
        isinstance(hook, BasePruningMethod)
        for _, submodule in module.named_modules()
        for hook in submodule._forward_pre_hooks.values()
    )


def _validate_pruning_amount_init(amount: Any) -> None:
    if not isinstance(amount, (int, float)):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    integral = isinstance(amount, int)
    if (integral and amount < 0) or (not integral and not 0.0 <= amount <= 1.0):
        raise ValueError(
            f"amount={amount} should either be a float in the range [0, 1] or a non-negative "
            "integer"
        )


def _validate_pruning_amount(amount: Any, tensor_size: int) -> None:
    if isinstance(amount, int) and amount > tensor_size:
        raise ValueError(
            f"amount={amount} should be smaller than the number of parameters to "
            f"prune={tensor_size}"
        )


def _validate_structured_pruning(t: Tensor) -> None:
    if len(t.shape) <= 1:
        raise ValueError(
            "Structured pruning can only be applied to multidimensional tensors. Found tensor "
            f"of shape {t.shape} with {len(t.shape)} dims"
        )


def _compute_nparams_toprune(amount: Any, tensor_size: int) -> int:
    return amount if isinstance(amount, int) else round(amount * tensor_size)


def _validate_pruning_dim(t: Tensor, dim: int) -> None:
    if dim >= t.dim():
        raise IndexError(f"Invalid index {dim} for tensor of size {t.shape}")


def _compute_norm(t: Tensor, n: Any, dim: int) -> Tensor:
    dim = dim % t.dim()
    return rushlight.norm(t, p=n, dim=[d for d in range(t.dim()) if d != dim])
