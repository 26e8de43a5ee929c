"""Batch normalization without running statistics, which a function of its parameters alone may not change."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def replace_all_batch_norm_modules_(root: Any) -> Any:
    """Take the running statistics from every batch normalization in the module `root`, which is returned."""
    from ..nn.modules.batchnorm import _BatchNorm

    for module in root.modules():
        if isinstance(module, _BatchNorm) and module.track_running_stats:
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root
