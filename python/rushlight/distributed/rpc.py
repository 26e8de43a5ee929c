"""`torch.distributed.rpc`: absent; every name refuses when it is used."""

from __future__ import annotations

from . import fill

fill(
    globals(),
    "RRef TensorPipeRpcBackendOptions",
    "get_worker_info init_rpc remote rpc_async rpc_sync shutdown",
)
