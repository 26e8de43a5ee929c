// Promotion, broadcasting, destinations and allocation of pointwise operators; the straight path around them.
#include "ops/pointwise.h"

#include <algorithm>
#include <array>

#include "ops/kernels/copy.h"
#include "ops/output.h"
#include "ops/scalar_range.h"
#include "ops/stored_number.h"
#include "rushlight/parallel.h"

namespace rushlight {

// --- the common dtype ----------------------------------------------------------------------------------

namespace {

struct Ranks {  // per rank the dtype so far; none yet: -1
  int tensors = -1, zero_dim = -1, numbers = -1;
};
void join(int& so_far, Dtype type) {
  so_far = static_cast<int>(so_far < 0 ? type : promote(static_cast<Dtype>(so_far), type));
}
int combine(int higher, int lower) {
  if (higher < 0) return lower;
  if (lower < 0) return higher;
  const Dtype high = static_cast<Dtype>(higher), low = static_cast<Dtype>(lower);
  if (is_complex(high)) return higher;
  if (is_floating(high)) return is_complex(low) ? static_cast<int>(to_complex(high)) : higher;
  if (high == Dtype::kBool || is_floating(low) || is_complex(low)) return static_cast<int>(promote(high, low));
  return higher;
}

}  // namespace

Dtype result_dtype(const Operand* operands, int count) {
  Ranks ranks;
  for (int i = 0; i < count; ++i) {
    if (const Scalar* number = operands[i].number) {
      const Dtype type = number->is_complex()    ? default_complex_dtype()
                         : number->is_floating() ? default_dtype()
                                                 : number->type();
      ranks.numbers = std::max(ranks.numbers, static_cast<int>(type));  // the highest category
    } else {
      const TensorBase& tensor = *operands[i].tensor;
      join(tensor.dim() > 0 ? ranks.tensors : ranks.zero_dim, tensor.dtype());
    }
  }
  return static_cast<Dtype>(combine(ranks.tensors, combine(ranks.zero_dim, ranks.numbers)));
}
Dtype result_dtype(std::initializer_list<Operand> operands) {
  return result_dtype(operands.begin(), static_cast<int>(operands.size()));
}

namespace {

// A shape that grows by broadcasting, without the heap.
struct Shape {
  std::int64_t size[kMaxDims];
  std::size_t dim = 0;
  IntArray sizes() const { return std::span<const std::int64_t>(size, dim); }
  void join(IntArray other, const char* op) {
    if (other.size() > dim) {
      std::copy_backward(size, size + dim, size + other.size());
      std::fill(size, size + (other.size() - dim), 1);
      dim = other.size();
    }
    for (std::size_t i = 1; i <= other.size(); ++i) {
      std::int64_t& mine = size[dim - i];
      const std::int64_t theirs = other[other.size() - i];
      if (mine == theirs || theirs == 1) continue;
      check(mine == 1, op, ": The size of tensor a (", mine, ") must match the size of tensor b (", theirs,
            ") at non-singleton dimension ", dim - i, "; the shapes are ", sizes(), " and ", other);
      mine = theirs;
    }
  }
};

}  // namespace

std::vector<std::int64_t> broadcast_shape(IntArray a, IntArray b, const char* op) {
  const std::size_t dim = std::max(a.size(), b.size());
  std::vector<std::int64_t> shape(dim);
  for (std::size_t i = 1; i <= dim; ++i) {
    const std::int64_t m = i <= a.size() ? a[a.size() - i] : 1, n = i <= b.size() ? b[b.size() - i] : 1;
    check(m == n || m == 1 || n == 1, op, ": The size of tensor a (", m, ") must match the size of tensor b (", n,
          ") at non-singleton dimension ", dim - i, "; the shapes are ", a, " and ", b);
    shape[dim - i] = m == 1 ? n : m;
  }
  return shape;
}

namespace pointwise {
namespace {

// Single calls without threads up to here.
constexpr std::int64_t kSerial = 32768;
constexpr std::int64_t kTask = 65536;

constexpr bool floats(Dtype type) { return is_differentiable(type); }
constexpr bool computes(const Pointwise& op, Dtype type) {
  switch (op.rule) {
    case TypeRule::kPromote:
    case TypeRule::kTest:
      return true;
    case TypeRule::kFloating:
      return floats(type);
    case TypeRule::kReal:
      return !is_complex(type);
    default:
      return false;
  }
}

// --- the straight path: equal contiguous operands -------------------------------------------------------

bool plain(const TensorImpl& x) { return (x.word & (kContiguous | kMeta | kStoredOnly)) == kContiguous; }
bool alike(const TensorImpl& x, const TensorImpl& y) {
  if (((x.word ^ y.word) & kDtypeMask) || x.dim != y.dim || !plain(y)) return false;
  for (int i = 0; i < x.dim; ++i)
    if (x.sizes()[i] != y.sizes()[i]) return false;
  return true;
}
// A destination that is one of the inputs or shares no memory with them.
bool fits(const Tensor* out, const TensorImpl& a, const TensorImpl* b) {
  if (!out) return true;
  const TensorImpl& to = *out->impl();
  if (&to == &a && (!b || &to == b || to.storage != b->storage)) return true;
  return alike(a, to) && to.storage != a.storage && (!b || to.storage != b->storage);
}

[[gnu::noinline]] void run_tasks(TileFn kernel, const TileArgs& args, int inputs, std::int64_t in_item,
                                 std::int64_t out_item) {
  std::int64_t item = out_item;
  bool in_place = false;  // the lines are in the cache already
  for (int k = 0; k < inputs; ++k) {
    item += args.moves[k] ? in_item : 0;
    in_place |= args.in[k] == args.out;
  }
  const bool stream = args.n * item >= kStreamBytes && !in_place;
  parallel_ranges(args.n, kTask, [&](std::int64_t begin, std::int64_t end) {
    TileArgs part = args;
    for (int k = 0; k < inputs; ++k)
      if (args.moves[k]) part.in[k] = static_cast<const char*>(args.in[k]) + begin * in_item;
    part.out = static_cast<char*>(args.out) + begin * out_item;
    part.n = end - begin;
    part.stream = stream;
    kernel(part);
  });
}

[[noreturn]] void throw_division_by_zero(const Pointwise& op) {
  throw RuntimeError(str("ZeroDivisionError: ", op.name, " of integers by zero"));
}

Tensor run(const Pointwise& op, TileFn kernel, const TensorImpl& a, TileArgs& args, int inputs, const Tensor* out) {
  const Dtype type = a.dtype(), result = op.rule == TypeRule::kTest ? Dtype::kBool : type;
  Tensor to = out ? *out : empty_like_contiguous(a, result);
  bool fault = false;
  args.fault = &fault;
  args.out = to.mutable_data();
  args.n = a.numel;
  if (a.numel < kSerial)
    kernel(args);
  else
    run_tasks(kernel, args, inputs, static_cast<std::int64_t>(item_size(type)),
              static_cast<std::int64_t>(item_size(result)));
  if (fault) [[unlikely]]
    throw_division_by_zero(op);
  return to;
}

// A number as the block that kernels read again and again; only as much of it as n elements read.
struct Block {
  alignas(64) std::uint64_t words[32];
  Block(const Scalar& number, Dtype type, std::int64_t n) {
    std::uint64_t value[2] = {};
    visit_numbers(type, [&](auto zero) {
      const auto converted = number.to<decltype(zero)>();
      std::memcpy(value, &converted, sizeof(converted));
    });
    const std::size_t item = item_size(type);
    for (std::size_t size = item; size < 8; size *= 2)
      value[0] |= value[0] << (8 * size);
    if (item < 16) value[1] = value[0];
    const std::size_t bytes =
        std::min<std::size_t>(sizeof(words), static_cast<std::size_t>(std::min<std::int64_t>(n, 256)) * item);
    for (std::size_t i = 0; i < (bytes + 63) / 64 * 8; i += 2) {
      words[i] = value[0];
      words[i + 1] = value[1];
    }
  }
};

bool keeps_type(Dtype type, const Scalar& number) {
  if (is_complex(type)) return true;
  if (is_floating(type)) return !number.is_complex();
  return type == Dtype::kBool ? number.is_boolean() : number.is_integral();
}

// --- the general path ------------------------------------------------------------------------------------

[[noreturn]] void unsupported(const Pointwise& op, Dtype type) {
  if (type == Dtype::kBool && &op == &neg)
    throw RuntimeError(
        "neg: Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a "
        "mask, use the `~` or `logical_not()` operator instead.");
  if (type == Dtype::kBool && &op == &relu) throw RuntimeError("Boolean inputs not supported for relu");
  if (is_complex(type) && &op == &sign)
    throw NotImplementedError(
        "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.");
  // What has no order or no integer part raises RuntimeError in PyTorch.
  for (const Pointwise* ordered :
       {&maximum, &minimum, &fmax, &fmin, &ceil, &floor, &trunc, &round, &clamp_min, &clamp_max, &signbit})
    if (is_complex(type) && ordered == &op)
      throw RuntimeError(str(op.name, " is not supported for complex inputs, got ", type));
  throw NotImplementedError(str("\"", op.name, "\" not implemented for '", scalar_type_name(type), "'",
                                is_stored_only(type) ? ": " : "", is_stored_only(type) ? refusal(type) : ""));
}

// Formats of eight bits are compared and tested; their arithmetic would round to two or three digits at every step.
bool takes_float8(const Pointwise& op) {
  for (const Pointwise* known : {&eq, &ne, &isnan, &isinf, &isfinite, &isposinf, &isneginf, &abs, &where})
    if (known == &op) return true;
  return false;
}

// What the kernel reads and writes for the common dtype `type`.
Dtype compute_dtype(const Pointwise& op, Dtype type) {
  if (!is_stored_only(type) && op.kernel(type)) return type;
  const Dtype wide = carrier(type);
  if (is_stored_only(wide) || !op.kernel(wide) || (is_float8(type) && !takes_float8(op))) unsupported(op, type);
  return wide;
}

Dtype result_of(const Pointwise& op, Dtype compute) {
  switch (op.rule) {
    case TypeRule::kTest:
      return Dtype::kBool;
    case TypeRule::kReal:
    case TypeRule::kFloatingReal:
      return to_real(compute);
    case TypeRule::kComplex:
      return to_complex(compute);
    default:
      return compute;
  }
}

void check_sub(const Operand* operands, int count) {
  const auto is_bool = [](const Operand& operand) {
    return operand.tensor ? operand.tensor->dtype() == Dtype::kBool : operand.number->is_boolean();
  };
  check(
      !(count > 1 && is_bool(operands[0]) && is_bool(operands[1])),
      "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator "
      "instead.");
  for (int k = 0; k < count; ++k)
    check(!is_bool(operands[k]),
          "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use "
          "the "
          "`~` or `logical_not()` operator instead.");
}

void check_where(const Operand& condition) {
  const Dtype type = condition.tensor->dtype();
  check(type == Dtype::kBool || type == Dtype::kUInt8,
        "where expected condition to be a boolean tensor, but got a tensor with dtype ", scalar_type_name(type));
}

// Dimensions from the innermost outwards in the order that the inputs' strides suggest (preserve_format).
void preserved_strides(IntArray shape, const Operand* operands, int count, std::int64_t* strides) {
  const int dim = static_cast<int>(shape.size());
  std::array<int, kMaxDims> order;
  for (int i = 0; i < dim; ++i)
    order[static_cast<std::size_t>(i)] = dim - 1 - i;
  const auto stride = [&](const TensorBase& t, int d) -> std::int64_t {
    const int e = d - dim + static_cast<int>(t.dim());
    if (e < 0 || (t.sizes()[static_cast<std::size_t>(e)] == 1 && shape[static_cast<std::size_t>(d)] != 1)) return 0;
    return t.strides()[static_cast<std::size_t>(e)];
  };
  // > 0: a belongs outside b; < 0: inside; 0: no input tells.
  const auto compare = [&](int a, int b) {
    for (int k = 0; k < count; ++k) {
      if (!operands[k].tensor) continue;
      const std::int64_t sa = stride(*operands[k].tensor, a), sb = stride(*operands[k].tensor, b);
      if (sa == 0 || sb == 0) continue;
      if (sa != sb) return sa < sb ? -1 : 1;
      if (shape[static_cast<std::size_t>(a)] > shape[static_cast<std::size_t>(b)]) return 1;
    }
    return 0;
  };
  for (int i = 1; i < dim; ++i) {
    int at = i;
    for (int j = i - 1; j >= 0; --j) {
      const int which = compare(order[static_cast<std::size_t>(j)], order[static_cast<std::size_t>(at)]);
      if (which < 0) break;
      if (which == 0) continue;
      std::swap(order[static_cast<std::size_t>(j)], order[static_cast<std::size_t>(at)]);
      at = j;
    }
  }
  std::int64_t next = 1;
  for (int i = 0; i < dim; ++i) {
    const auto d = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
    strides[d] = next;
    next *= std::max<std::int64_t>(shape[d], 1);
  }
}

Tensor allocate(IntArray shape, Dtype type, Device device, const Operand* operands, int count) {
  bool contiguous = true;
  const TensorBase* first = nullptr;
  for (int k = 0; k < count; ++k)
    if (const TensorBase* t = operands[k].tensor) {
      if (!first) first = t;
      contiguous &= t->is_contiguous() && t->sizes() == shape;
    }
  if (contiguous || !first) return empty_tensor(shape, type, device);
  std::int64_t strides[kMaxDims];
  preserved_strides(shape, operands, count, strides);
  return empty_strided_tensor(shape, std::span<const std::int64_t>(strides, shape.size()), type, device);
}

// A copy where `out` overlaps an input in a way that the tile loop would not survive.
TensorBase apart(const TensorBase& input, const TensorBase& out) {
  switch (overlap_of(input, out)) {
    case Overlap::kPartial:
      throw_partial_overlap();
    case Overlap::kMaybe: {
      const Tensor copy = empty_tensor(input.sizes(), input.dtype(), input.device());
      copy_kernel(copy.device(), copy, input);
      return copy;
    }
    default:
      return input;
  }
}

// Whether every value of a dtype is one of `type`, a dtype of a few bits, too.
bool all_fit(Dtype from, Dtype type) {
  if (from == type || from == Dtype::kBool) return true;
  if (is_integral(type)) return is_unsigned(from) && item_size(from) < item_size(type);
  return !is_float8(type) && (from == Dtype::kInt8 || from == Dtype::kUInt8);
}

// The factor and the divisor of a product and of a quotient keep their digits where there is one of them for all
// elements, as in PyTorch.
bool keeps_digits(const Pointwise& op, Dtype type) {
  return !is_integral(type) && (&op == &mul || &op == &div || &op == &div_floor || &op == &div_trunc);
}

// Operands of another dtype become numbers of the dtype that the result has, although kernels compute in a wider one:
// the element of a half tensor that was made of 0.1 equals 0.1, and that of a uint16 tensor made of -1 equals -1.
void round_operands(const Pointwise& op, Dtype type, Operand* operands, int count, Scalar* numbers, Tensor* tensors) {
  const bool keeps = keeps_digits(op, type);
  for (int k = op.rule == TypeRule::kWhere ? 1 : 0; k < count; ++k) {
    if (const Scalar* number = operands[k].number; number && !(keeps && k == 1)) {
      numbers[k] = rounded_to(*number, type);
      operands[k].number = &numbers[k];
    } else if (const TensorBase* tensor = operands[k].tensor; tensor && !all_fit(tensor->dtype(), type)) {
      if (tensor->is_meta() || (keeps && k == 1 && tensor->dim() == 0)) continue;
      tensors[k] = empty_tensor(tensor->sizes(), type, tensor->device());
      copy_kernel(tensors[k].device(), tensors[k], *tensor);
      operands[k].tensor = &tensors[k];
    }
  }
}

}  // namespace

// A kernel's own numbers, in the compute type; elements of integers are not wrapped around to fit.
class Params {
 public:
  Params(Numbers numbers, Dtype type, Dtype compute) {
    std::size_t at = 0;
    for (const Scalar& number : numbers) {
      if (is_integral(type)) check_fits(number, type);
      visit(is_reduced_float(compute) ? Dtype::kFloat32 : compute, [&](auto zero) {
        const auto value = (is_integral(type) ? rounded_to(number, type) : number).to<decltype(zero)>();
        std::memcpy(bytes_ + at, &value, sizeof(value));
        at += sizeof(value);
      });
    }
  }
  const void* data() const { return bytes_; }

 private:
  alignas(16) char bytes_[16 * kMaxParams];
};

// The straight path of the general form.
static bool straight(const Pointwise& op, std::initializer_list<Operand> operands, Numbers numbers, const Tensor* out,
                     Tensor& result) {
  const Operand* all = operands.begin();
  if (!all[0].tensor || (out && op.rule == TypeRule::kTest)) return false;
  const TensorImpl& first = *all[0].tensor->impl();
  const Dtype type = first.dtype();
  if (!plain(first) || !computes(op, type)) return false;
  TileArgs args;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (!all[k].tensor) return false;
    const TensorImpl& x = *all[k].tensor->impl();
    if (k > 0 && !alike(first, x)) return false;
    if (out && out->impl() != &x && out->impl()->storage == x.storage) return false;
    args.in[k] = x.data;
    args.moves[k] = 1;
  }
  if (out && !alike(first, *out->impl())) return false;
  const TileFn kernel = op.kernel(type);
  if (!kernel) return false;
  const Params params(numbers, type, type);
  args.params = params.data();
  result = run(op, kernel, first, args, static_cast<int>(operands.size()), out);
  return true;
}

Tensor apply(const Pointwise& op, std::initializer_list<Operand> given, Numbers numbers, const Tensor* out) {
  if (Tensor result; straight(op, given, numbers, out, result)) [[likely]]
    return result;
  Operand operands[kMaxInputs];
  const int count = static_cast<int>(given.size());
  std::copy(given.begin(), given.end(), operands);
  const bool selects = op.rule == TypeRule::kWhere;
  if (selects) check_where(operands[0]);
  if (&op == &sub || &op == &rsub || &op == &sub_scaled || &op == &rsub_scaled) check_sub(operands, count);
  if (&op == &heaviside)
    check(operands[0].tensor->dtype() == operands[1].tensor->dtype(),
          "heaviside is not yet implemented for tensors with different dtypes: got ", operands[0].tensor->dtype(),
          " and ", operands[1].tensor->dtype(), "; convert one of them");
  const Dtype common = selects ? result_dtype(operands + 1, count - 1) : result_dtype(operands, count);
  const bool floating = op.rule == TypeRule::kFloating || op.rule == TypeRule::kFloatingReal;
  if (!has_numbers(common) && !selects) unsupported(op, common);
  const Dtype type = floating && !floats(common) ? default_dtype() : common;
  const Dtype compute = compute_dtype(op, type);
  const Dtype result_type = op.rule == TypeRule::kComplex ? to_complex(type) : result_of(op, type);

  Shape shape;
  Device device;
  for (int k = 0; k < count; ++k)
    if (const TensorBase* t = operands[k].tensor) {
      shape.join(t->sizes(), op.name);
      if (t->is_meta()) device = DeviceType::kMeta;
    } else if (selects && !is_reduced_float(type)) {
      check_fits(*operands[k].number, type);
    }
  if (out && out->is_meta()) device = DeviceType::kMeta;

  TensorBase copies[kMaxInputs];
  if (out) {
    check(can_cast(result_type, out->dtype()), "result type ", scalar_type_name(result_type),
          " can't be cast to the desired output type ", scalar_type_name(out->dtype()));
    bool reads = false;
    for (int k = 0; k < count; ++k)
      reads |= operands[k].tensor && operands[k].tensor->is_same(*out);
    if (reads)
      check(out->sizes() == shape.sizes(), op.name, ": output with shape ", out->sizes(),
            " doesn't match the broadcast shape ", shape.sizes());
    else
      resize_output(*out, shape.sizes());
    check_no_internal_overlap(*out);
    for (int k = 0; k < count; ++k) {
      if (!operands[k].tensor || operands[k].tensor->is_same(*out)) continue;
      copies[k] = apart(*operands[k].tensor, *out);
      operands[k].tensor = &copies[k];
    }
  }
  // What is computed in a wider dtype becomes a number of the result's dtype before it is one of the destination's.
  const bool staged = out && compute != type && out->dtype() != result_type;
  const Tensor to = out && !staged ? *out : allocate(shape.sizes(), result_type, device, operands, count);
  if (device.is_meta()) return out ? *out : to;
  Scalar rounded[kMaxInputs];
  Tensor converted[kMaxInputs];
  if (compute != type || is_reduced_float(type)) round_operands(op, type, operands, count, rounded, converted);
  run_pointwise(op, compute, result_of(op, compute), to, operands, count, Params(numbers, type, compute).data());
  if (!staged) return to;
  copy_kernel(out->device(), *out, to);
  return *out;
}

Tensor unary(const Pointwise& op, const Tensor& a, const Tensor* out) {
  const TensorImpl& x = *a.impl();
  const Dtype type = x.dtype();
  if (plain(x) && computes(op, type) && fits(out, x, nullptr) && (!out || op.rule != TypeRule::kTest)) [[likely]] {
    if (const TileFn kernel = op.kernel(type)) [[likely]] {
      TileArgs args;
      args.in[0] = x.data;
      args.moves[0] = 1;
      return run(op, kernel, x, args, 1, out);
    }
  }
  return apply(op, {a}, {}, out);
}

Tensor binary(const Pointwise& op, const Tensor& a, const Tensor& b, const Tensor* out) {
  const TensorImpl &x = *a.impl(), &y = *b.impl();
  const Dtype type = x.dtype();
  if (plain(x) && alike(x, y) && computes(op, type) && fits(out, x, &y) && (!out || op.rule != TypeRule::kTest))
      [[likely]] {
    if (const TileFn kernel = op.kernel(type)) [[likely]] {
      TileArgs args;
      args.in[0] = x.data;
      args.in[1] = y.data;
      args.moves[0] = args.moves[1] = 1;
      return run(op, kernel, x, args, 2, out);
    }
  }
  return apply(op, {a, b}, {}, out);
}

namespace {

// The straight path with a number at one side, or null.
bool with_number(const Pointwise& op, const Tensor& a, const Scalar& number, int at, const Tensor* out,
                 Tensor& result) {
  const TensorImpl& x = *a.impl();
  const Dtype type = x.dtype();
  if (!plain(x) || !keeps_type(type, number) || !computes(op, type) || !fits(out, x, nullptr)) return false;
  if (out && op.rule == TypeRule::kTest) return false;
  const TileFn kernel = op.kernel(type);
  if (!kernel) return false;
  const bool keeps = at == 1 && keeps_digits(op, type);
  const Block block(keeps ? number : rounded_to(number, type), is_reduced_float(type) ? Dtype::kFloat32 : type,
                    x.numel);
  TileArgs args;
  args.in[1 - at] = x.data;
  args.moves[1 - at] = 1;
  args.in[at] = block.words;
  args.moves[at] = 0;
  result = run(op, kernel, x, args, 2, out);
  return true;
}

void check_alpha(const Pointwise& op, std::initializer_list<Operand> operands, const Scalar& alpha) {
  const Dtype type = result_dtype(operands);
  check(alpha.type() != Dtype::kBool || type == Dtype::kBool, op.name,
        ": Boolean alpha only supported for Boolean results.");
  check(floats(type) || alpha.is_integral(), op.name,
        ": For integral input tensors, argument alpha must not be a floating point number.");
  check(is_complex(type) || !alpha.is_complex(), op.name,
        ": For non-complex input tensors, argument alpha must not be a complex number.");
}

}  // namespace

Tensor binary(const Pointwise& op, const Tensor& a, const Scalar& b, const Tensor* out) {
  Tensor result;
  if (with_number(op, a, b, 1, out, result)) [[likely]]
    return result;
  return apply(op, {a, b}, {}, out);
}

Tensor binary(const Pointwise& op, const Scalar& a, const Tensor& b, const Tensor* out) {
  Tensor result;
  if (with_number(op, b, a, 0, out, result)) [[likely]]
    return result;
  return apply(op, {a, b}, {}, out);
}

Tensor binary(const Pointwise& op, const Tensor& a, const Tensor& b, const Scalar& alpha, const Tensor* out) {
  if (alpha.is_one() && !alpha.is_boolean()) [[likely]]
    return binary(op, a, b, out);
  check_alpha(op, {a, b}, alpha);
  return apply(*op.scaled, {a, b}, {alpha}, out);
}

Tensor binary(const Pointwise& op, const Tensor& a, const Scalar& b, const Scalar& alpha, const Tensor* out) {
  if (alpha.is_one() && !alpha.is_boolean()) [[likely]]
    return binary(op, a, b, out);
  check_alpha(op, {a, b}, alpha);
  return apply(*op.scaled, {a, b}, {alpha}, out);
}

Tensor ternary(const Pointwise& op, const Operand& a, const Operand& b, const Operand& c, const Tensor* out) {
  return apply(op, {a, b, c}, {}, out);
}

Tensor ternary(const Pointwise& op, const Operand& a, const Operand& b, const Operand& c, const Scalar& value,
               const Tensor* out) {
  if (value.is_one()) return apply(op, {a, b, c}, {}, out);
  return apply(*op.scaled, {a, b, c}, {value}, out);
}

}  // namespace pointwise
}  // namespace rushlight
