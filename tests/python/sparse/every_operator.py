"""Calls every operator of the catalogue with sparse operands in each place; prints names as it goes, raises nothing."""

import sys
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "codegen"))

import model  # noqa: E402
import rushlight as torch  # noqa: E402
from rushlight import _C  # noqa: E402

HOMES = {"torch": _C._VariableFunctions, "nn": _C._nn, "linalg": _C._linalg, "fft": _C._fft, "special": _C._special}
NUMBERS = {
    "int": 1, "int?": 1, "float": 0.5, "float?": 0.5, "bool": False, "bool?": False, "Scalar": 2, "Scalar?": 2, "str": "mean",
    "str?": None, "ScalarType": torch.float32, "ScalarType?": None, "Layout?": None, "Device": "cpu", "Device?": None,
    "Generator?": None, "MemoryFormat": torch.preserve_format, "MemoryFormat?": None, "float[]?": [0.5], "bool[]": [True, True, True],
    "Scalar[]": [2],
}  # fmt: skip


def sparse_operands():
    dense = torch.tensor([[0.0, 1.0, 0.0], [2.0, 0.0, 3.0], [0.0, 0.0, 4.0]])
    coo = dense.to_sparse()
    yield coo, dense
    yield torch.sparse_coo_tensor([[1, 1], [0, 0]], [1.0, 2.0], (3, 3)), dense
    yield dense.to_sparse_csr(), dense
    yield coo.long(), dense.long()
    yield torch.stack([coo, coo]), torch.stack([dense, dense])
    yield coo.detach().requires_grad_(), dense


def value(parameter, tensor):
    kind = parameter.type
    if kind in ("Tensor", "Tensor?"):
        return tensor
    if kind in ("Tensor[]", "Tensor?[]"):
        return [tensor, tensor]
    if kind.startswith("int[]"):
        return [1] * max(parameter.size, 1)
    return NUMBERS[kind]


def calls(operator, sparse, dense):
    """Positional arguments and keywords with the sparse operand in each tensor's place, and everywhere."""
    parameters = [p for p in operator.schema.parameters if p.default is None or p.is_tensor]
    places = [p for p in parameters if p.is_tensor]
    for chosen in [*([place] for place in places), places]:
        args = [value(p, sparse if p in chosen else dense) for p in parameters if not p.keyword_only]
        named = {p.python_name: value(p, sparse if p in chosen else dense) for p in parameters if p.keyword_only}
        yield args, named


def attempt(function, args, named):
    try:
        result = function(*args, **named)
        str(result)
        return True
    except Exception:
        return False


def main():
    warnings.simplefilter("ignore")
    results = refused = 0
    for operator in model.load(ROOT / "catalogue"):
        if not any(p.is_tensor for p in operator.schema.parameters):
            continue
        for home in operator.names:
            for form in ("", "_", "out"):
                if (form == "_" and not operator.inplace) or (form == "out" and not operator.out):
                    continue
                for sparse, dense in sparse_operands():
                    print(operator.schema.text, home, form, sparse.layout, flush=True)
                    for args, named in calls(operator, sparse.clone() if form == "_" else sparse, dense.clone()):
                        if form == "out":
                            named = {**named, "out": sparse.clone()}
                        if home == "Tensor":
                            if not args or not isinstance(args[0], torch.Tensor):
                                continue
                            function = getattr(args[0], operator.name + ("_" if form == "_" else ""), None)
                            args = args[1:]
                        else:
                            function = getattr(HOMES[home], operator.name + ("_" if form == "_" else ""), None)
                        if function is None:
                            continue
                        if attempt(function, args, named):
                            results += 1
                        else:
                            refused += 1
    print(f"results {results} refused {refused}")


if __name__ == "__main__":
    main()
