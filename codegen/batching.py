"""What an entry tells vmap of its operator: the rule that computes for a whole batch, and which parameters it may change.

Rules are functions of src/batching. `batch:` in the catalogue names one; the kind `pointwise` implies its own; operators without a
rule are called sample by sample.
"""

from __future__ import annotations

from model import Operator
from schema import Parameter

DIMS = {"dim", "dims", "dim0", "dim1", "dim2", "dimension"}
SIZES = {"size", "repeats", "input_sizes"}
INSERTING = {"inserted", "stack"}  # rules of operators whose dims count in a result with one dimension more


def rule(op: Operator) -> str:
    """The name of the rule, or an empty text."""
    return op.batch or ("pointwise" if op.kind == "pointwise" else "")


def role(op: Operator, parameter: Parameter) -> str:
    if parameter.name in DIMS and parameter.type.startswith("int"):
        return "kNewDim" if rule(op) in INSERTING else "kDim"
    if parameter.name in SIZES and parameter.type == "int[]":
        return "kSizes"
    if parameter.name in ("keepdim", "reduction"):
        return f"k{parameter.name.capitalize()}"
    return "kPlain"


def is_random(op: Operator) -> bool:
    """Whether the operator draws numbers."""
    return op.family == "random" and not op.name.endswith(("_grad", "_backward"))


def rule_declarations(operators: list[Operator]) -> str:
    names = sorted({rule(op) for op in operators if op.kind != "composite"} - {""})
    lines = [f"std::vector<Tensor> {name}(Call& call);" for name in names]
    return "\n".join(["namespace batching {", *lines, "}  // namespace batching"]) if lines else ""


def operation(op: Operator, name: str) -> tuple[str, str]:
    """A statement that lists the parameters (or nothing), and the description of the operator for `interpose`."""
    chosen = rule(op)
    listed = [p for p in op.parameters if not p.is_tensor] if chosen else []
    given = ", ".join(f"{{{p.name}, batching::Role::{role(op, p)}}}" for p in listed)
    statement = f"const batching::Parameter parameters[] = {{{given}}};" if listed else ""
    function = f"batching::{chosen}" if chosen else "nullptr"
    return statement, f'{{"{name}", {function}, {"parameters" if listed else "{}"}, {str(is_random(op)).lower()}}}'
