"""Tensors between processes."""

import os

import pytest
import rushlight as torch
import rushlight.multiprocessing as mp


def child(i, out):
    if i == 1:
        raise ValueError("child failed")


def exits(i):
    os._exit(5)


def doubles(queue, results):
    x = queue.get()
    results.put(x * 2)


@pytest.mark.parametrize("numel", [0, 3, 100000])
def test_queues_carry_tensors(numel):
    context = mp.get_context("fork")
    queue, results = context.SimpleQueue(), context.SimpleQueue()
    process = context.Process(target=doubles, args=(queue, results))
    process.start()
    x = torch.arange(float(numel))
    queue.put(x)
    assert torch.equal(results.get(), x * 2)
    process.join()


def test_shared_memory_is_seen_by_children():
    x = torch.zeros(3)
    x.share_memory_()

    def fill(tensor):
        tensor.fill_(7)

    process = mp.get_context("fork").Process(target=fill, args=(x,))
    process.start()
    process.join()
    assert x.tolist() == [7.0, 7.0, 7.0]


def test_failures_are_raised_with_their_traceback():
    with pytest.raises(mp.ProcessRaisedException, match="child failed"):
        mp.start_processes(child, args=(None,), nprocs=2, start_method="fork")
    with pytest.raises(mp.ProcessExitedException, match="exit code 5"):
        mp.start_processes(exits, nprocs=1, start_method="fork")


def test_history_does_not_travel():
    from multiprocessing.reduction import ForkingPickler

    x = torch.ones(2, requires_grad=True) * 2
    with pytest.raises(RuntimeError, match="non-leaf tensor"):
        ForkingPickler.dumps(x)
