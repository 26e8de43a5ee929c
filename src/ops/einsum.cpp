// einsum: the equation, operands on common axes, and pairs of operands contracted by batched
// products.
#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "autograd/shown_name.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

using Sizes = std::vector<std::int64_t>;

constexpr int kLabels = 52;
constexpr int kEllipsis = kLabels;  // stands in a list of labels for the dimensions under an ellipsis

int label_of(char c) { return c >= 'a' ? c - 'a' + 26 : c - 'A'; }
char letter_of(int label) { return static_cast<char>(label < 26 ? 'A' + label : 'a' + label - 26); }

struct Equation {
  std::vector<std::vector<int>> inputs;
  std::vector<int> output;
  bool explicit_output = false;
};

// One side of a comma or of the arrow; `at` counts characters of the whole equation.
Equation parse(std::string_view text, std::size_t operands) {
  Equation result;
  std::vector<int> labels;
  bool in_output = false;
  const auto where = [&] { return in_output ? std::string("the output") : str("operand ", result.inputs.size()); };
  const auto close = [&] {
    if (in_output) {
      result.output = labels;
    } else {
      result.inputs.push_back(labels);
      check(result.inputs.size() <= operands, "einsum(): fewer operands were provided than specified in the equation");
    }
    labels.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    if (c == '.') {
      check(std::find(labels.begin(), labels.end(), kEllipsis) == labels.end(), "einsum(): found \'.\' for ", where(),
            in_output ? " for which an ellipsis (...) was already found" : " for which an ellipsis was already found");
      check(i + 2 < text.size() && text[i + 1] == '.' && text[i + 2] == '.', "einsum(): found \'.\' for ", where(),
            in_output ? " that is not part of any ellipsis (...)" : " that is not part of any ellipsis");
      i += 2;
      labels.push_back(kEllipsis);
    } else if (c == ',' && !in_output) {
      close();
    } else if (c == '-' && !in_output && i + 1 < text.size() && text[i + 1] == '>') {
      close();
      in_output = true;
      ++i;
    } else {
      check(std::isalpha(static_cast<unsigned char>(c)) != 0, "einsum(): invalid subscript given at index ", i,
            " in the equation string, subscripts must be in [a-zA-Z]");
      labels.push_back(label_of(c));
    }
  }
  close();
  result.explicit_output = in_output;
  check(result.inputs.size() == operands, "einsum(): more operands were provided than specified in the equation");
  return result;
}

// Where each label lies on the common axes: those of the output first, then those that are summed.
struct Axes {
  std::array<std::int64_t, kLabels> of{};
  std::int64_t ellipsis_start = 0, ellipsis_dims = 0, output = 0, total = 0;
};

std::int64_t ellipsis_dims(const std::vector<int>& labels, const Tensor& t) {
  const bool has = std::find(labels.begin(), labels.end(), kEllipsis) != labels.end();
  return has ? t.dim() - static_cast<std::int64_t>(labels.size()) + 1 : 0;
}

Axes lay_out(Equation& equation, TensorList tensors) {
  Axes axes;
  std::array<int, kLabels> uses{};
  bool any_ellipsis = false;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto& labels = equation.inputs[i];
    const bool has = std::find(labels.begin(), labels.end(), kEllipsis) != labels.end();
    const auto given = static_cast<std::int64_t>(labels.size()) - has;
    check(has ? given <= tensors[i].dim() : given == tensors[i].dim(),
          "einsum(): the number of subscripts in the equation (", given,
          has ? ") is more than the number of dimensions (" : ") does not match the number of dimensions (",
          tensors[i].dim(), ") for operand ", i, has ? "" : " and no ellipsis was given");
    any_ellipsis |= has;
    axes.ellipsis_dims = std::max(axes.ellipsis_dims, ellipsis_dims(labels, tensors[i]));
    for (const int label : labels)
      if (label != kEllipsis) ++uses[static_cast<std::size_t>(label)];
  }
  if (!equation.explicit_output) {  // the ellipsis, then what occurs once, in alphabetical order
    if (any_ellipsis) equation.output.push_back(kEllipsis);
    for (int label = 0; label < kLabels; ++label)
      if (uses[static_cast<std::size_t>(label)] == 1) equation.output.push_back(label);
  }
  axes.of.fill(-1);
  bool ellipsis_in_output = false;
  for (const int label : equation.output) {
    if (label == kEllipsis) {
      axes.ellipsis_start = axes.total;
      axes.total += axes.ellipsis_dims;
      ellipsis_in_output = true;
      continue;
    }
    std::int64_t& axis = axes.of[static_cast<std::size_t>(label)];
    check(axis == -1, "einsum(): output subscript ", letter_of(label), " appears more than once in the output");
    check(uses[static_cast<std::size_t>(label)] > 0, "einsum(): output subscript ", letter_of(label),
          " does not appear in the equation for any input operand");
    axis = axes.total++;
  }
  axes.output = axes.total;
  if (!ellipsis_in_output) {
    axes.ellipsis_start = axes.total;
    axes.total += axes.ellipsis_dims;
  }
  for (std::size_t label = 0; label < kLabels; ++label)
    if (uses[label] > 0 && axes.of[label] == -1) axes.of[label] = axes.total++;
  return axes;
}

// The operand with one dimension for each axis, in their order; axes that it does not have are of
// size 1.
Tensor on_axes(const Tensor& operand, const std::vector<int>& labels, const Axes& axes, std::size_t number) {
  Tensor t = operand;
  const std::int64_t under = ellipsis_dims(labels, operand);
  Sizes place(static_cast<std::size_t>(axes.total), -1);  // dimension of t for each axis
  std::int64_t dim = 0;
  for (const int label : labels) {
    if (label == kEllipsis) {
      for (std::int64_t i = 0; i < under; ++i)
        place[static_cast<std::size_t>(axes.ellipsis_start + axes.ellipsis_dims - under + i)] = dim++;
      continue;
    }
    std::int64_t& at = place[static_cast<std::size_t>(axes.of[static_cast<std::size_t>(label)])];
    if (at == -1) {
      at = dim++;
      continue;
    }
    // A label twice in one operand: the diagonal of both dimensions.
    check(t.size(at) == t.size(dim), "einsum(): subscript ", letter_of(label), " is repeated for operand ", number,
          " but the sizes don't match, ", t.size(dim), " != ", t.size(at));
    t = t.diagonal(0, at, dim).movedim(-1, at);
  }
  Sizes order;
  for (const std::int64_t at : place)
    if (at != -1) order.push_back(at);
  t = t.permute(order);
  for (std::size_t axis = 0; axis < place.size(); ++axis)
    if (place[axis] == -1) t = t.unsqueeze(static_cast<std::int64_t>(axis));
  return t;
}

void check_sizes(const std::vector<Tensor>& operands, const Axes& axes) {
  for (std::int64_t axis = 0; axis < axes.total; ++axis) {
    std::int64_t seen = 1;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const std::int64_t size = operands[i].size(axis);
      if (size == 1) continue;
      if (seen != 1 && size != seen) {
        const auto label = std::find(axes.of.begin(), axes.of.end(), axis);
        if (label == axes.of.end())
          check(false, "einsum(): dimension ", axis - axes.ellipsis_start, " covered by ellipsis in operand ", i,
                "has size ", size, " which does not broadcast with previously seen ellipsis with size ", seen,
                " for the respective dimension");
        check(false, "einsum(): subscript ", letter_of(static_cast<int>(label - axes.of.begin())), " has size ", size,
              " for operand ", i, " which does not broadcast with previously seen size ", seen);
      }
      seen = size;
    }
  }
}

// The product of two operands summed over `dims`, by one batched matrix product. The summed axes
// remain, of size 1.
Tensor contract(Tensor a, Tensor b, const Sizes& dims) {
  std::vector<char> summed(static_cast<std::size_t>(a.dim()), 0);
  for (const std::int64_t dim : dims)
    summed[static_cast<std::size_t>(dim)] = 1;
  Sizes both, only_a, only_b, inner, sizes;
  std::int64_t both_size = 1, a_size = 1, b_size = 1, inner_size = 1;
  for (std::int64_t i = 0; i < a.dim(); ++i) {
    const bool in_a = a.size(i) != 1, in_b = b.size(i) != 1;
    if (summed[static_cast<std::size_t>(i)]) {
      if (in_a && in_b) {
        inner.push_back(i);
        inner_size *= a.size(i);
      } else if (in_a) {
        a = a.sum(IntArray{i}, true);
      } else if (in_b) {
        b = b.sum(IntArray{i}, true);
      }
    } else if (in_a && in_b) {
      both.push_back(i);
      both_size *= a.size(i);
    } else if (in_a) {
      only_a.push_back(i);
      a_size *= a.size(i);
    } else {
      only_b.push_back(i);
      b_size *= b.size(i);
    }
  }
  if (inner.empty()) return a.mul(b);
  Sizes a_order = both, b_order = both, order = both;
  for (const Sizes& part : {only_a, inner})
    a_order.insert(a_order.end(), part.begin(), part.end());
  for (const Sizes& part : {inner, only_b})
    b_order.insert(b_order.end(), part.begin(), part.end());
  for (const Sizes& part : {only_a, only_b})
    order.insert(order.end(), part.begin(), part.end());
  // Axes that neither operand has, or that are summed away, close the lists.
  const auto complete = [&](Sizes& list) {
    for (std::int64_t i = 0; i < a.dim(); ++i)
      if (std::find(list.begin(), list.end(), i) == list.end()) list.push_back(i);
  };
  complete(a_order), complete(b_order), complete(order);
  for (const std::int64_t i : order)
    sizes.push_back(summed[static_cast<std::size_t>(i)]   ? 1
                    : std::max(a.size(i), b.size(i)) == 1 ? 1
                    : a.size(i) == 1                      ? b.size(i)
                                                          : a.size(i));
  const Tensor left = a.permute(a_order).reshape({both_size, a_size, inner_size});
  const Tensor right = b.permute(b_order).reshape({both_size, inner_size, b_size});
  Sizes back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  return left.bmm(right).view(sizes).permute(back);
}

// The pair whose product is smallest, for three operands and more.
std::pair<std::size_t, std::size_t> cheapest(const std::vector<Tensor>& operands) {
  std::pair<std::size_t, std::size_t> best{0, 1};
  double least = -1;
  for (std::size_t i = 0; i < operands.size(); ++i)
    for (std::size_t j = i + 1; j < operands.size(); ++j) {
      double cost = 1;
      for (std::int64_t d = 0; d < operands[i].dim(); ++d)
        cost *= static_cast<double>(std::max(operands[i].size(d), operands[j].size(d)));
      if (least < 0 || cost < least) least = cost, best = {i, j};
    }
  return best;
}

}  // namespace

Tensor einsum(std::string_view equation, TensorList tensors, OptionalIntArray path) {
  check(!tensors.empty(), "einsum(): must provide at least one operand");
  Equation parsed = parse(equation, tensors.size());
  const Axes axes = lay_out(parsed, tensors);
  std::vector<Tensor> operands;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    operands.push_back(on_axes(tensors[i], parsed.inputs[i], axes, i));
  check_sizes(operands, axes);
  if (path) {
    const std::size_t wanted = tensors.size() == 1 ? 1 : 2 * (tensors.size() - 1);
    check(path->size() == wanted, "einsum(): expected contraction path given in path parameter to have size ", wanted,
          " but got ", path->size());
  }
  for (std::size_t step = 0; operands.size() > 1; ++step) {
    std::pair<std::size_t, std::size_t> pair = cheapest(operands);
    if (path) {
      const std::int64_t i = (*path)[2 * step], j = (*path)[2 * step + 1];
      const auto left = static_cast<std::int64_t>(operands.size());
      check(i >= 0 && i < left && j >= 0 && j < left && i != j, "einsum(): invalid contraction path (", i, ", ", j,
            ")");
      pair = {static_cast<std::size_t>(std::min(i, j)), static_cast<std::size_t>(std::max(i, j))};
    }
    const Tensor a = operands[pair.first], b = operands[pair.second];
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(pair.second));
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(pair.first));
    Sizes dims;  // summed axes that no other operand has
    for (std::int64_t axis = axes.output; axis < axes.total; ++axis) {
      const bool elsewhere =
          std::any_of(operands.begin(), operands.end(), [axis](const Tensor& t) { return t.size(axis) != 1; });
      if (!elsewhere && (a.size(axis) != 1 || b.size(axis) != 1)) dims.push_back(axis);
    }
    operands.push_back(contract(a, b, dims));
  }
  Tensor result = operands[0];
  Sizes rest, last;
  for (std::int64_t axis = axes.output; axis < axes.total; ++axis) {
    last.push_back(axis);
    if (result.size(axis) != 1) rest.push_back(axis);
  }
  if (tensors.size() == 1 && !last.empty()) return result.sum(last);
  if (!rest.empty()) result = result.sum(rest, true);
  const ShownAs shown("ViewBackward0");
  return last.empty() ? result : shown(result.squeeze(last));
}

}  // namespace rushlight
