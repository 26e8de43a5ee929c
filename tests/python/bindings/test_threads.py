"""Python threads beside long operations, shared leaves, forked children."""

import os
import threading
import time

import rushlight as torch


def test_other_threads_run_during_long_operations():
    x = torch.randn(2000, 2000)
    done = threading.Event()

    def work():
        for _ in range(20):
            torch.exp(x).sum()
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    ticks = 0
    while not done.is_set():
        ticks += 1
        time.sleep(0.0005)
    worker.join()
    assert ticks > 2


def test_threads_accumulate_into_one_leaf():
    leaf = torch.ones(300, 300, requires_grad=True)

    def work():
        for _ in range(5):
            (leaf * 2).sum().backward()

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert leaf.grad[0, 0].item() == 40


def test_random_numbers_in_several_threads():
    workers = [threading.Thread(target=lambda: torch.randn(500, 500)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=60)
    assert not any(worker.is_alive() for worker in workers)


def test_forked_child_computes():
    x = torch.randn(1000, 1000)
    (x * 2).sum()
    child = os.fork()
    if child == 0:
        leaf = torch.ones(1000, 1000, requires_grad=True)
        (leaf * x).sum().backward()
        os._exit(0 if leaf.grad.equal(x) else 1)
    assert os.waitpid(child, 0)[1] == 0
