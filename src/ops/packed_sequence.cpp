// Packing of sequences of different lengths, and padding.
#include <algorithm>

#include "ops/composed.h"
#include "rushlight/ops.h"

namespace rushlight {

using Sizes = std::vector<std::int64_t>;

// Runs of steps with the same number of sequences.
std::tuple<Tensor, Tensor> _pack_padded_sequence(const Tensor& input_, const Tensor& lengths, bool batch_first) {
  const Tensor input = batch_first ? input_.transpose(0, 1) : input_;
  check(lengths.dtype() == Dtype::kInt64 && lengths.dim() == 1,
        "_pack_padded_sequence: 'lengths' argument should be a 1D "
        "CPU int64 tensor, but got ",
        lengths);
  const Tensor dense = lengths.contiguous();
  need_memory(dense, "_pack_padded_sequence");
  const std::int64_t* length = dense.data<std::int64_t>();
  const std::int64_t batch = input.size(1);
  check(input.numel() > 0, "_pack_padded_sequence: Cannot pack empty tensors.");
  check(lengths.numel() == batch, "Expected `len(lengths)` to be equal to batch_size, but got ", lengths.numel(),
        " (batch_size=", batch, ")");
  check(length[batch - 1] > 0,
        "Length of all samples has to be greater than 0, but found an element in 'lengths' that is "
        "<= 0");
  for (std::int64_t i = 1; i < batch; ++i)
    check(length[i - 1] >= length[i],
          "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. "
          "You can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to "
          "sidestep this requirement if "
          "you do not need ONNX exportability.");
  check(length[0] <= input.size(0), "_pack_padded_sequence: Expected `lengths` up to ", input.size(0), ", got ",
        length[0]);
  const Tensor batch_sizes = empty_tensor({length[0]}, Dtype::kInt64);
  std::int64_t* sizes = batch_sizes.mutable_data<std::int64_t>();
  Sizes shape = input.sizes().vec();
  shape.erase(shape.begin());
  shape[0] = -1;
  std::vector<Tensor> parts;
  std::int64_t done = 0;
  for (std::int64_t i = batch; i-- > 0;) {
    const std::int64_t steps = length[i] - done;
    if (steps <= 0) continue;
    parts.push_back(input.narrow(0, done, steps).narrow(1, 0, i + 1).reshape(shape));
    std::fill_n(sizes + done, steps, i + 1);
    done = length[i];
  }
  return {parts.size() == 1 ? parts[0] : cat(parts, 0), batch_sizes};
}

std::tuple<Tensor, Tensor> _pad_packed_sequence(const Tensor& data, const Tensor& batch_sizes, bool batch_first,
                                                const Scalar& padding_value, std::int64_t total_length) {
  check(batch_sizes.dtype() == Dtype::kInt64 && batch_sizes.dim() == 1 && batch_sizes.numel() > 0,
        "_pad_packed_sequence: batch_sizes should be a 1-D int64 CPU tensor, got ", batch_sizes);
  const Tensor dense = batch_sizes.contiguous();
  need_memory(dense, "_pad_packed_sequence");
  const std::int64_t *sizes = dense.data<std::int64_t>(), most = sizes[0];
  std::int64_t steps = batch_sizes.numel();
  check(total_length <= 0 || total_length >= steps,
        "Expected total_length to be at least the length of the longest "
        "sequence in input, but got total_length=",
        total_length, " and max sequence length being ", steps);
  const Tensor lengths = empty_tensor({most}, Dtype::kInt64);
  for (std::int64_t i = 0; i < most; ++i) {
    std::int64_t length = 0;
    while (length < steps && sizes[length] > i)
      ++length;
    lengths.mutable_data<std::int64_t>()[i] = length;
  }
  Sizes pads(static_cast<std::size_t>(2 * (data.dim() - 1)), 0);  // of the features: none
  std::vector<Tensor> parts;
  std::int64_t at = 0;
  for (std::int64_t t = 0; t < steps;) {
    std::int64_t end = t;
    while (end < steps && sizes[end] == sizes[t])
      ++end;
    Sizes shape = data.sizes().vec();
    shape[0] = sizes[t];
    shape.insert(shape.begin(), end - t);
    Sizes padding = pads;
    padding.insert(padding.end(), {0, most - sizes[t]});
    const Tensor rows = data.narrow(0, at, (end - t) * sizes[t]).view(shape);
    parts.push_back(sizes[t] == most ? rows : constant_pad_nd(rows, padding, padding_value));
    at += (end - t) * sizes[t];
    t = end;
  }
  Tensor padded = parts.size() == 1 ? parts[0] : cat(parts, 0);
  if (total_length > steps) {
    Sizes padding = pads;
    padding.insert(padding.end(), {0, 0, 0, total_length - steps});
    padded = constant_pad_nd(padded, padding, padding_value);
  }
  return {batch_first ? padded.transpose(0, 1) : padded, lengths};
}

Tensor pad_sequence(TensorList sequences, bool batch_first, double padding_value, std::string_view padding_side) {
  check(!sequences.empty(), "pad_sequence: received an empty list of sequences");
  check(padding_side == "left" || padding_side == "right",
        "pad_sequence: Expected padding_side to be one of left or right, "
        "but got ",
        padding_side, ".");
  std::int64_t most = 0;
  for (const Tensor& t : sequences) {
    check(t.dim() > 0, "pad_sequence: sequences need a dimension, got ", t);
    most = std::max(most, t.size(0));
  }
  std::vector<Tensor> padded;
  for (const Tensor& t : sequences) {
    Sizes pads(static_cast<std::size_t>(2 * (t.dim() - 1)), 0);
    const std::int64_t rest = most - t.size(0);
    pads.insert(pads.end(), {padding_side == "left" ? rest : 0, padding_side == "left" ? 0 : rest});
    padded.push_back(rest == 0 ? t : constant_pad_nd(t, pads, Scalar(padding_value)));
  }
  return stack(padded, batch_first ? 0 : 1);
}

}  // namespace rushlight
