"""Sparse gradients of embeddings, their accumulation and optimizers; `python training.py > training.txt` under PyTorch."""

import warnings


def texts(torch):
    found = []
    functional, optim = torch.nn.functional, torch.optim
    index = torch.tensor([1, 3, 1, 4])

    def table():
        return torch.nn.Parameter(torch.arange(10.0).reshape(5, 2) / 10)

    def embedding():
        made = torch.nn.Embedding(5, 2, sparse=True)
        with torch.no_grad():
            made.weight.copy_(table())
        return made

    def after(loss, *leaves):
        loss.backward()
        found.extend(str(leaf.grad) for leaf in leaves)

    p = table()
    after(functional.embedding(index, p, sparse=True).pow(2).sum(), p)
    found.append(str(p.grad.coalesce()))
    p = table()
    after(functional.embedding(index, p, padding_idx=3, sparse=True).sum(), p)
    for mode in ("sum", "mean"):
        p = table()
        functional.embedding_bag(index, p, torch.tensor([0, 2]), sparse=True, mode=mode).sum().backward()
        found.append(str(p.grad.coalesce()))
    p = table()
    after(functional.embedding(index, p, sparse=True).sum() + p.sum(), p)
    p = table()
    after(p.sum() + functional.embedding(index, p, sparse=True).sum(), p)
    p = table()
    p.sum().backward()
    after(functional.embedding(index, p, sparse=True).sum(), p)
    p = table()
    found.append(str(torch.autograd.grad(functional.embedding(index, p, sparse=True).sum(), p)))
    e = embedding()
    for k in range(2):
        after(e(torch.tensor([k, 2])).sum(), e.weight)
    found.append(str(e.weight.grad.coalesce()))
    e.weight.grad.zero_()
    found.append(str(e.weight.grad))
    e.zero_grad()
    found.append(str(e.weight.grad))

    makers = {
        "SGD": lambda p: optim.SGD(p, lr=0.1), "momentum": lambda p: optim.SGD(p, lr=0.1, momentum=0.9),
        "nesterov": lambda p: optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True),
        "maximize": lambda p: optim.SGD(p, lr=0.1, maximize=True), "decay": lambda p: optim.SGD(p, lr=0.1, weight_decay=0.1),
        "SparseAdam": lambda p: optim.SparseAdam(list(p), lr=0.1), "Adagrad": lambda p: optim.Adagrad(p, lr=0.1),
        "Adagrad decay": lambda p: optim.Adagrad(p, lr=0.1, weight_decay=0.1),
        **{n: lambda p, n=n: getattr(optim, n)(p) for n in "Adam AdamW RMSprop Adadelta NAdam Adamax Rprop ASGD RAdam".split()},
    }  # fmt: skip
    for name, make in makers.items():
        e = embedding()
        try:
            optimizer = make(e.parameters())
            for k in range(3):
                optimizer.zero_grad()
                e(torch.tensor([k, k + 1, k])).pow(2).sum().backward()
                optimizer.step()
            found.append(f"{name} {e.weight.data}")
        except Exception as error:
            found.append(f"{name} {type(error).__name__}: {error}")

    leaf = torch.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0], (2, 2)).requires_grad_()
    optimizer = optim.SGD([leaf], lr=0.1)
    after((leaf * 2).to_dense().sum(), leaf)
    optimizer.step()
    found.append(str(leaf))
    return found


if __name__ == "__main__":
    import torch

    warnings.simplefilter("ignore")
    print("\n----\n".join(texts(torch)))
