"""Expressions of sparse tensors whose text is compared with PyTorch's, recorded in expected.json.

`python cases.py > expected.json` under PyTorch renews the record. Names: u uncoalesced COO with a duplicate, s COO, c CSR,
k CSC, h hybrid (a dense dimension), b three sparse dimensions, d dense of s's shape, m and v a matrix and a vector to
multiply with, w a leaf of values that requires grad, x a sparse leaf.
"""

from __future__ import annotations

import json
import warnings


def names(torch):
    i = torch.tensor([[0, 1, 1, 2], [2, 0, 2, 1]])
    values = torch.tensor([3.0, -4.0, 5.0, 0.5])
    s = torch.sparse_coo_tensor(i, values, (3, 4)).coalesce()
    u = torch.sparse_coo_tensor(torch.tensor([[2, 0, 2, 1], [1, 3, 1, 0]]), torch.tensor([1.0, 2.0, 3.0, 4.0]), (3, 4))
    return {
        "torch": torch, "i": i, "s": s, "u": u, "c": s.to_sparse_csr(), "k": s.to_sparse_csc(),
        "h": torch.sparse_coo_tensor(torch.tensor([[1, 0, 1]]), torch.arange(6.0).reshape(3, 2), (3, 2)),
        "b": torch.arange(12.0).reshape(2, 3, 2).fmod(3).to_sparse(),
        "d": torch.arange(12.0).reshape(3, 4), "m": torch.arange(8.0).reshape(4, 2) / 4, "v": torch.arange(4.0) / 2,
        "w": values.clone().requires_grad_(), "x": s.clone().requires_grad_(), "z": c_leaf(s),
    }  # fmt: skip


def c_leaf(s):
    return s.to_sparse_csr().requires_grad_()


def grad(torch, output, *leaves):
    (output.to_dense() if output.layout is not torch.strided else output).sum().backward()
    return [leaf.grad for leaf in leaves]


def weighted(torch, output, *leaves):
    dense = output.to_dense() if output.layout is not torch.strided else output
    (dense * torch.linspace(1, 2, dense.numel()).reshape(dense.shape)).sum().backward()
    return [leaf.grad for leaf in leaves]


TEXT = """
u s c k h b w x z
torch.sparse_coo_tensor([[0,1],[1,0]],[1.,2.])
torch.sparse_coo_tensor([[0,1],[1,0]],[1,2],(2,3))
torch.sparse_coo_tensor([[0,1],[1,0]],[1,2],(2,3),dtype=torch.float64)
torch.sparse_coo_tensor([[0,1],[1,0]],[1.,2.],(2,3),requires_grad=True)
torch.sparse_coo_tensor([[0,1],[1,0]],[1.,2.],(2,3),is_coalesced=True).is_coalesced()
torch.sparse_coo_tensor((2,3)) torch.sparse_coo_tensor(size=(2,3),dtype=torch.int64)
torch.sparse_coo_tensor(torch.empty(2,0),[],(2,3)) torch.sparse_coo_tensor([[0,0,1]],torch.ones(3,2))
torch.sparse_coo_tensor([[0]],[True],(2,)) torch.sparse_coo_tensor([[0]],[1+2j],(2,)) torch.sparse_coo_tensor(torch.zeros(0,1),torch.tensor([2.]),())
torch.sparse_coo_tensor(i,w,(3,4)) torch.sparse_coo_tensor(i,w,(3,4))*2
torch.sparse_csr_tensor([0,1,3],[2,0,2],[3.,4.,5.]) torch.sparse_csr_tensor([0,1,3],[2,0,2],[3,4,5],(2,5))
torch.sparse_csc_tensor([0,1,3],[2,0,2],[3.,4.,5.]) torch.sparse_csc_tensor([0,1,3],[1,0,1],[3.,4.,5.],size=(2,2),dtype=torch.float64)
torch.sparse_compressed_tensor([0,1,3],[2,0,2],[3.,4.,5.],layout=torch.sparse_csr)
torch.sparse_csr_tensor(torch.tensor([0,1,3,4]),torch.tensor([2,0,2,1]),w,(3,4))
torch.sparse.FloatTensor(torch.LongTensor([[0,1],[1,0]]),torch.FloatTensor([1,2]),torch.Size([2,2]))
torch.sparse.FloatTensor(2,3) torch.sparse.LongTensor() isinstance(s,torch.sparse.FloatTensor) isinstance(d,torch.sparse.FloatTensor)
s.type() s.layout s.is_sparse s.is_sparse_csr c.is_sparse c.is_sparse_csr c.layout k.layout d.layout d.is_sparse
s.sparse_dim() s.dense_dim() h.sparse_dim() h.dense_dim() c.sparse_dim() d.dense_dim() d.sparse_dim() s._nnz() u._nnz() c._nnz()
u.is_coalesced() s.is_coalesced() u.coalesce() u.coalesce().is_coalesced() h.coalesce() s.indices() s.values() u._indices() u._values()
c.crow_indices() c.col_indices() c.values() k.ccol_indices() k.row_indices() k.values() x.values() x.indices()
s.to_dense() u.to_dense() c.to_dense() k.to_dense() h.to_dense() b.to_dense() d.to_dense() x.to_dense()
d.to_sparse() d.to_sparse(1) d.to_sparse_csr() d.to_sparse_csc() d.to_sparse_coo() d.to_sparse(layout=torch.sparse_csr) torch.zeros(2,2).to_sparse()
s.to_sparse_csr() s.to_sparse_csc() u.to_sparse_csr() c.to_sparse() c.to_sparse_csc() k.to_sparse_csr() c.to_sparse_coo()
s.clone() u.clone().is_coalesced() c.clone() s.detach() x.detach() s.double() c.double() s.int() s.to(torch.float16) s.cpu() s.bool() s.long()
s+s s-s u+u u+s s+u s.add(s,alpha=2) h+h c+c d+s d-s d+u d+h.to_dense().sum() d+c torch.add(d,s,alpha=3)
s*2 2*s s/2 s*s s*u u*s s*d d*s u*d c*c c*2 c*d s*torch.tensor(3.) -s -u -c s.mul(2) s.div(4) s*torch.tensor([1.,2.,3.,4.])
s.pow(2) s**2 s.abs() s.sqrt() u.sqrt() s.sin() s.tanh() s.relu() s.sign() s.floor() s.ceil() s.round() s.trunc() s.neg() s.isnan() s.expm1() s.log1p() c.abs() c.sin() c.relu() c.neg() s.sgn() s.isinf() s.atan() s.asinh() s.erf() s.deg2rad() s.nan_to_num()
s.t() s.t().is_coalesced() s.T s.transpose(0,1) s.permute(1,0) s.permute(0,1) c.t() k.t() c.transpose(0,1) s.unsqueeze(0) s.unsqueeze(1) s.unsqueeze(-1) b.transpose(0,2) b.permute(2,0,1) h.unsqueeze(2)
s[0] s[1,2] s[:,1] s[-1] s[...,0] c[0] s.select(0,1) b[1] b[:,1] h[1] s.unbind() list(s) len(s) list(b)
s.index_select(0,torch.tensor([1])) s.index_select(0,torch.tensor([2,1])) s.index_select(1,torch.tensor([2,0])) h.index_select(0,torch.tensor([1]))
torch.cat([s,s]) torch.cat([s,s],1) torch.cat([u,s]) torch.stack([s,s]) torch.stack([s,u],1) torch.cat([b,b],2)
s.sum() u.sum() c.sum() s.sum(0) s.sum(1) s.sum((0,1)) s.sum(0,keepdim=True) b.sum(1) h.sum(0) h.sum(1) s.any() s.norm() s.norm(1) torch.sparse.sum(s) torch.sparse.sum(u,0) torch.sparse.sum(s,[0]) torch.sparse.sum(s,dtype=torch.float64) torch.sparse.sum(b,(0,1)) torch.sparse.sum(h,1) torch.sparse.sum(x) torch.sparse.sum(x,0)
s@m u@m c@m k@m s@v c@v d.t()@s d.t()@c m.t()@s.t() s@s.t() u.t()@s s.mm(m) s.mv(v) s.matmul(m) torch.mm(s,m) torch.spmm(s,m) torch.sparse.mm(s,m) torch.sparse.mm(u,m) torch.sparse.mm(c,m) torch.sparse.mm(s,s.t()) torch.sparse.mm(d.t(),s)
torch.addmm(torch.ones(3,2),s,m) torch.addmm(torch.ones(3,2),s,m,beta=2,alpha=.5) torch.sparse.addmm(torch.ones(3,2),s,m) torch.addmm(torch.ones(3,2),c,m) torch.hspmm(s,m) torch.smm(s,m) torch.sspaddmm(s@m.to_sparse(),s,m) torch.bmm(b,torch.ones(2,2,2)) b.bmm(torch.arange(8.).reshape(2,2,2))
torch.nn.functional.linear(s,m.t()) torch.nn.functional.linear(s,m.t(),torch.ones(2)) torch.sparse.sampled_addmm(c,torch.ones(3,2),torch.ones(2,4)) torch.sparse.sampled_addmm(c,d,torch.ones(4,4),beta=2.,alpha=.5)
torch.sparse.mm(c,m,'mean') torch.sparse.mm(c,m,'amax') torch.sparse.mm(c,m,'amin') torch.sparse.mm(c,m,'sum')
torch.sparse.softmax(s,1) torch.sparse.softmax(u,0) torch.sparse.log_softmax(s,1) torch.sparse.softmax(h,1) torch.sparse.softmax(b,2) torch.sparse.softmax(s,1,dtype=torch.float64)
torch.sparse.spdiags(torch.arange(9).reshape(3,3),torch.tensor([0,-1,2]),(3,3)) torch.sparse.spdiags(torch.ones(2,3),torch.tensor([0,1]),(3,4),layout=torch.sparse_csr) torch.sparse.spdiags(torch.ones(3),torch.tensor(1),(4,4))
d.sparse_mask(s) d.sparse_mask(u) d.sparse_mask(c) s.sparse_mask(u.coalesce()) u.sparse_mask(s) torch.ones(3,2).sparse_mask(h)
torch.zeros_like(s) torch.empty_like(s) torch.zeros_like(c) torch.ones_like(c) torch.zeros(2,3,layout=torch.sparse_coo) torch.empty(2,3,layout=torch.sparse_coo) torch.zeros(2,3,layout=torch.sparse_csr) s.new_zeros(2,2) s.clone().zero_() c.clone().zero_() s.clone().mul_(2) s.clone().div_(2) s.clone().add_(s) s.clone().sub_(u) d.clone().add_(s) d.clone().sub_(s,alpha=2) d.clone().add_(u) s.clone().neg_() s.clone().abs_() s.clone().t_() s.clone().copy_(u) c.clone().fill_(7.)
s.shape s.size(0) s.numel() s.element_size() s.dtype s.device s.is_contiguous() s.requires_grad s._version s.is_leaf s.dim() s.is_floating_point() s.is_complex() s.storage_offset()
torch.equal(s.to_dense(),c.to_dense()) torch.is_tensor(s) s.sparse_resize_((5,5),2,0) u.clone().sparse_resize_and_clear_((2,2),2,0)
torch.sparse_coo_tensor(torch.arange(300).reshape(1,300),torch.arange(300.),(400,)) torch.eye(300).to_sparse() torch.eye(50).to_sparse_csr()
grad(torch,x.to_dense(),x) grad(torch,x.coalesce().values(),x) grad(torch,x*2,x) grad(torch,x/2,x) grad(torch,-x,x) grad(torch,x*x,x) grad(torch,x+x,x) grad(torch,x-2*x,x) grad(torch,d+x,x) grad(torch,d-x,x) grad(torch,x*d,x) grad(torch,x.t(),x) grad(torch,x.sum(),x) grad(torch,torch.sparse.sum(x),x) grad(torch,torch.sparse.sum(x,0),x) grad(torch,torch.sparse.sum(x,1),x) grad(torch,x.abs(),x) grad(torch,x.relu(),x) grad(torch,x.pow(2),x) grad(torch,x.double(),x) grad(torch,x.clone(),x) grad(torch,x.permute(1,0),x) grad(torch,torch.stack([x,x]),x) grad(torch,x.to_sparse_csr(),x) grad(torch,x@m,x) grad(torch,x@v,x) grad(torch,torch.sparse.mm(x,m),x) grad(torch,torch.sparse.addmm(torch.ones(3,2),x,m),x)
grad(torch,z.to_dense(),z) grad(torch,z.values(),z) grad(torch,z*2,z) grad(torch,-z,z) grad(torch,z@m,z) grad(torch,torch.sparse.mm(z,m),z) grad(torch,z.t(),z) grad(torch,z.abs(),z) grad(torch,z.to_sparse(),z) grad(torch,z.sum(),z) grad(torch,torch.sparse.sampled_addmm(z,d,torch.ones(4,4)),z)
weighted(torch,torch.sparse.softmax(x,1),x) weighted(torch,torch.sparse.log_softmax(x,1),x) weighted(torch,torch.sparse.mm(x,m),x) weighted(torch,x.to_dense(),x) weighted(torch,torch.sparse.sum(x,0),x)
grad(torch,torch.sparse_coo_tensor(i,w,(3,4))@m,w) grad(torch,torch.sparse.mm(torch.sparse_coo_tensor(i,w,(3,4)),m),w) grad(torch,torch.sparse_coo_tensor(i,w,(3,4)).coalesce(),w) grad(torch,torch.sparse_csr_tensor(torch.tensor([0,1,3,4]),torch.tensor([2,0,2,1]),w,(3,4))@m,w) weighted(torch,torch.sparse_coo_tensor(i,w,(3,4)).to_dense(),w) grad(torch,torch.sparse.softmax(torch.sparse_coo_tensor(i,w,(3,4)),1),w)
x*2 x@m torch.sparse.mm(x,m) x.t() x.sum() torch.sparse.sum(x,0) x.coalesce() x.to_sparse_csr() z*2 z@m torch.sparse.softmax(x,1) x.values() x+x d+x x.clone() x.double() (-x) x.abs() z.to_dense() d.clone().requires_grad_().to_sparse() d.clone().requires_grad_().sparse_mask(s) d.clone().requires_grad_().to_sparse_csr() torch.stack([x,x]) x.unsqueeze(0) x.index_select(0,torch.tensor([0])) x.select(0,0)
"""  # noqa: E501 - one line per family

# Calls that raise: the class is compared, and that the text holds what stands behind the bar.
ERRORS = """
s+1 | add(sparse, dense) is not supported
s+d | add(sparse, dense) is not supported
s-1 | add(sparse, dense) is not supported
s==s | Could not run 'aten::eq
s>0 | Could not run 'aten::gt
s.exp() | Could not run 'aten::exp' with arguments from the 'SparseCPU' backend
s.cos() | Could not run 'aten::cos' with arguments from the 'SparseCPU' backend
c.max() | Could not run 'aten::max' with arguments from the 'SparseCsrCPU' backend
s.mean() | Could not run 'aten::mean
s.max() | Could not run 'aten::max
s.softmax(1) | Could not run 'aten::
s.cumsum(0) | Could not run 'aten::cumsum
s.argmax() | Could not run 'aten::argmax
s.nonzero() | Could not run 'aten::nonzero
s.view(12) | Could not run 'aten::view
s.expand(3,4) | expand is unsupported for Sparse tensors
s.numpy() | can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.
c.numpy() | can't convert SparseCsr layout tensor to numpy
s.data_ptr() | Cannot access data pointer of Tensor that doesn't have storage
s.storage() | Cannot access storage of SparseTensorImpl
s.untyped_storage() | Cannot access storage of SparseTensorImpl
s.tolist() | Cannot access data pointer of Tensor that doesn't have storage
s.item() | a Tensor with 12 elements cannot be converted to Scalar
bool(s) | Boolean value of Tensor with more than one value is ambiguous
s.nbytes | nbytes is not defined for sparse tensors
u.indices() | Cannot get indices on an uncoalesced tensor, please call .coalesce() first
u.values() | Cannot get values on an uncoalesced tensor, please call .coalesce() first
s.crow_indices() | crow_indices expected sparse row compressed tensor layout but got Sparse
c.indices() | indices expected sparse coordinate tensor layout but got SparseCsr
c.coalesce() | coalesce expected sparse coordinate tensor layout but got SparseCsr
c.ccol_indices() | ccol_indices expected sparse column compressed tensor layout but got SparseCsr
c.stride() | Sparse CSR tensors do not have strides
c.is_contiguous() | Sparse CSR tensors do not have is_contiguous
s.pow(0) | cannot raise to zeroth power on sparse tensor
s/s | Sparse division requires a scalar or zero-dim dense tensor divisor
s.sparse_mask(d) | expected mask to have a sparse
c.sum(0) | reduction operations on CSR tensors with keepdim=False is unsupported
s[0,9] | index 9
s.copy_(d) | copy_() between dense and sparse Tensors is not implemented
s.share_memory_() | Cannot access storage of SparseTensorImpl
s.requires_grad_().mul_(2) | a leaf Variable that requires grad is being used in an in-place operation
torch.sparse_coo_tensor([[-1]],[1.]) | negative ind
torch.sparse_coo_tensor([0,1],[1.,2.]) | indices must be sparse_dim x nnz
torch.sparse_coo_tensor([[0,1]],[1.,2.,3.],(3,)) | same nnz
torch.sparse_coo_tensor([[0,1]],[1.,2.],(3,3)) | number of dimensions must be sparse_dim
torch.sparse_coo_tensor([[0,5]],[1.,2.],(3,),check_invariants=True) | size is inconsistent with indices
torch.sparse_csr_tensor([0,1,3],[0,1],[1.,2.],(2,2),check_invariants=True) | nnz
s.mm(torch.ones(3,3)) |
s@m.double() |
"""


def evaluate(torch):
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for line in TEXT.strip().splitlines():
            for expression in split(line):
                scope = {**names(torch), "grad": grad, "weighted": weighted}
                try:
                    found[expression] = str(eval(expression, scope))
                except Exception as error:
                    found[expression] = f"{type(error).__name__}: {error}"
        for line in ERRORS.strip().splitlines():
            expression = line.split(" | ")[0].removesuffix(" |")
            try:
                found[expression] = "no error: " + str(eval(expression, names(torch)))
            except Exception as error:
                found[expression] = type(error).__name__
    return found


def split(line):
    """Expressions of a line: they hold no spaces."""
    return line.split()


if __name__ == "__main__":
    import torch

    print(json.dumps(evaluate(torch), indent=0))
