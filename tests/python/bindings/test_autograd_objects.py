"""Graph nodes, hooks and custom functions as Python sees them."""

import gc
import weakref

import pytest
import rushlight as torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(x)
        ctx.factor = factor
        return x * x * factor

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad * ctx.factor, None


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x.exp()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0]


def test_nodes():
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    node = y.grad_fn
    assert (
        type(node).__name__ == "MulBackward0"
        and node.name() == "MulBackward0"
        and "<MulBackward0 object at 0x" in repr(node)
    )
    (leaf, number), *_ = node.next_functions
    assert leaf.name().endswith("AccumulateGrad") and number == 0 and leaf.variable is x
    node.metadata["note"] = 1
    assert y.grad_fn.metadata == {"note": 1} and isinstance(node, torch.autograd.graph.Node)


def test_tensor_hooks():
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    handle = y.register_hook(lambda g: g * 10)
    seen = []
    x.register_post_accumulate_grad_hook(lambda t: seen.append(t is x))
    y.sum().backward()
    assert x.grad.tolist() == [30, 30] and seen == [True]
    handle.remove()
    x.grad = None
    (x * 3).sum().backward()
    assert x.grad.tolist() == [3, 3]
    with pytest.raises(RuntimeError, match="doesn't require gradient"):
        torch.ones(1).register_hook(print)


def test_node_hooks():
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    y.grad_fn.register_prehook(lambda grads: (grads[0] * 2,))
    seen = []
    y.grad_fn.register_hook(lambda inputs, outputs: seen.append((inputs[0].tolist(), outputs[0].tolist())))
    y.sum().backward()
    assert x.grad.tolist() == [6, 6] and seen == [([6, 6], [2, 2])]


def test_error_in_a_hook_reaches_the_caller():
    x = torch.ones(2, requires_grad=True)

    def fail(gradient):
        raise KeyError("from the hook")

    x.register_hook(fail)
    with pytest.raises(KeyError, match="from the hook"):
        x.sum().backward()


def test_custom_function():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = Square.apply(x, 3.0)
    assert y.grad_fn.name() == "SquareBackward" and type(y.grad_fn).__name__ == "SquareBackward"
    y.sum().backward()
    assert x.grad.tolist() == [6, 12]
    with pytest.raises(RuntimeError, match="second time"):
        y.sum().backward()
    (first,) = torch.autograd.grad(Square.apply(x, 1.0).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x)
    assert second.tolist() == [2, 2]
    assert not Square.apply(torch.ones(1), 2.0).requires_grad


def test_setup_context_and_saved_outputs():
    x = torch.zeros(3, requires_grad=True)
    y = Exp.apply(x)
    seen = weakref.ref(y)
    y.sum().backward()
    assert x.grad.tolist() == [1, 1, 1]
    del y
    gc.collect()
    assert seen() is None


def test_needs_input_grad_and_missing_gradients():
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.needed = ctx.needs_input_grad
            return a + b, a - b

        @staticmethod
        def backward(ctx, first, second):
            assert ctx.needed == (True, False) and second.tolist() == [0.0]
            return first + second, None

    a = torch.ones(1, requires_grad=True)
    Two.apply(a, torch.ones(1))[0].backward()
    assert a.grad.tolist() == [1]


def test_what_is_dirty_may_be_made_in_forward():
    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            made = x + x
            ctx.mark_dirty(made)
            return made, x * 3

        @staticmethod
        def backward(ctx, grad_made, grad):
            return 3 * grad

    x = torch.ones(2, requires_grad=True)
    made, tripled = Both.apply(x)
    tripled.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0] and made.grad_fn is tripled.grad_fn


def test_hooks_by_keyword():
    x = torch.ones(2, requires_grad=True)
    seen = []
    x.register_hook(hook=lambda g: seen.append(g.tolist()))
    x.register_post_accumulate_grad_hook(hook=lambda t: seen.append(t.grad.tolist()))
    (x * 2).sum().backward()
    assert seen == [[2.0, 2.0], [2.0, 2.0]]


def test_dirty_and_non_differentiable():
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    leaf = torch.ones(2, requires_grad=True)
    x = leaf * 1
    y = Scale.apply(x)
    assert y is x
    y.sum().backward()
    assert leaf.grad.tolist() == [2, 2]

    class Count(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            count = (x > 0).sum()
            positive = x.clamp(min=0)
            ctx.mark_non_differentiable(count)
            return positive, count

        @staticmethod
        def backward(ctx, grad, _):
            return grad

    positive, count = Count.apply(leaf)
    assert positive.requires_grad and not count.requires_grad


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (lambda g: (g, g), "returned an incorrect number of gradients \\(expected 1, got 2\\)"),
        (lambda g: torch.ones(7), "returned an invalid gradient at index 0"),
        (lambda g: 3, "expected a Tensor or None"),
    ],
)
def test_wrong_gradients_are_refused(result, text):
    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, grad):
            return result(grad)

    x = torch.ones(2, requires_grad=True)
    with pytest.raises((RuntimeError, TypeError), match=text):
        Wrong.apply(x).sum().backward()


def test_saved_tensors_hooks():
    packed = []

    def pack(tensor):
        packed.append(tensor.tolist())
        return len(packed) - 1

    def unpack(index):
        return torch.tensor(packed[index])

    x = torch.tensor([2.0, 3.0], requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = x * x
    y.sum().backward()
    assert packed and x.grad.tolist() == [4, 6]


def test_queued_callbacks_run_at_the_end():
    order = []
    engine = torch.autograd.Variable._execution_engine
    x = torch.ones(1, requires_grad=True)
    x.register_hook(lambda g: engine.queue_callback(lambda: order.append("end")) or order.append("hook") or g)
    (x * 2).backward()
    assert order == ["hook", "end"]


def test_gradient_edges():
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 3
    edge = torch.autograd.graph.get_gradient_edge(y)
    y.mul_(10)
    (gradient,) = torch.autograd.grad(y.sum(), edge)
    assert gradient.tolist() == [10]
    (gradient,) = torch.autograd.grad(torch.autograd.graph.GradientEdge(edge.node, 0), x, grad_outputs=torch.ones(1))
    assert gradient.tolist() == [3]


def test_a_hook_may_be_the_last_owner_of_its_node():
    from rushlight.autograd.graph import register_multi_grad_hook

    x = torch.ones(2, requires_grad=True)
    handle = register_multi_grad_hook([x * 2], lambda gradients: None)  # the product is gone, its node is not
    handle.remove()
    handle.remove()
