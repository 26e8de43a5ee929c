// Runs plans: resolves every operand of a tile to a pointer, calls the kernel, stores the result.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <immintrin.h>
#include <memory>

#include "cpu/pointwise/convert.h"
#include "cpu/pointwise/moves.h"
#include "cpu/pointwise/plan.h"
#include "cpu/simd/targets.h"
#include "ops/kernels/copy.h"
#include "rushlight/parallel.h"

namespace rushlight {

TileFn Pointwise::resolve(Dtype type) const {
  TileFn found = nullptr;
  if (const Find find = vector.functions[simd::level()]) found = find(type);
  if (const Find other = is_complex(type) ? complex : plain; !found && other) found = other(type);
  cache[static_cast<int>(type)].store(found, std::memory_order_relaxed);
  return found;
}

namespace pointwise {
namespace {

Index size_of(Dtype type) { return static_cast<Index>(item_size(type)); }

// A thread's scratch; it grows and is kept.
char* scratch(Index bytes) {
  struct Free {
    void operator()(char* p) const { std::free(p); }
  };
  thread_local std::unique_ptr<char, Free> buffer;
  thread_local Index size = 0;
  if (bytes > size) {
    const Index wanted = (bytes + 4095) / 4096 * 4096;
    char* fresh = static_cast<char*>(std::aligned_alloc(4096, static_cast<std::size_t>(wanted)));
    if (!fresh) throw std::bad_alloc();
    buffer.reset(fresh);
    size = wanted;
  }
  return buffer.get();
}

// Moves a tile between memory (strides in bytes) and a dense tile, dst <- src, no conversion.
void move_tile(const char* src, Index src_col, Index src_row, char* dst, Index dst_col, Index dst_row, Index rows,
               Index cols, Index item) {
  const Moves& m = moves();
  if (src_col == item && dst_col == item && src_row == cols * item && dst_row == cols * item) {
    m.run(src, dst, rows * cols * item);
  } else if (rows > 1 && src_row == item && dst_col == item && src_col != item) {
    m.transpose[item](src, src_col, dst, dst_row, rows, cols);
  } else if (cols < 16 && src_col == item && dst_col == item && std::min(src_row, dst_row) > 4 * cols * item) {
    // Short runs far apart: every line is met once.
    for (Index r = 0; r < rows; ++r)
      m.copy[item](src + r * src_row, item, dst + r * dst_row, item, cols);
  } else if (rows > cols && cols < 16) {
    for (Index c = 0; c < cols; ++c)
      m.copy[item](src + c * src_col, src_row, dst + c * dst_col, dst_row, rows);
  } else if (src_col == item && dst_col == item) {
    for (Index r = 0; r < rows; ++r)
      m.run(src + r * src_row, dst + r * dst_row, cols * item);
  } else if (src_col == 0 && dst_col == item) {
    for (Index r = 0; r < rows; ++r)
      m.fill[item](src + r * src_row, dst + r * dst_row, cols);
  } else {
    for (Index r = 0; r < rows; ++r)
      m.copy[item](src + r * src_row, src_col, dst + r * dst_row, dst_col, cols);
  }
}

// What a run does, shared by all its tasks. Without a kernel it copies operand 1.
struct Job {
  TileFn kernel;
  const void* params;
  const View* operands;
  const Dtype* as;
  mutable bool fault = false;
  Plan plan{};
};

struct Tile {
  Index rows, cols;
  char* data[kMaxOperands];  // first element of each operand
};

// The state of one task.
class Runner {
 public:
  explicit Runner(const Job& job) : job_(job), plan_(job.plan) {
    Index item = 1;
    bool used = false;
    for (int k = 0; k < plan_.operands; ++k) {
      item = std::max({item, size_of(job.as[k]), size_of(job.operands[k].dtype)});
      used |= plan_.access[k] == Access::kScratch;
      col_[k] = plan_.stride[k][0];
      row_[k] = plan_.dim > 1 ? plan_.stride[k][plan_.row_dim] : 0;
    }
    // Pad between slots: tiles exactly 4 KB apart would share cache sets.
    slot_bytes_ = (plan_.rows * plan_.cols * item + 63) / 64 * 64 + 192;
    for (int k = 1; k < plan_.operands; ++k) {
      if (plan_.access[k] != Access::kBlock || !plan_.row_calls || row_[k] == 0) continue;
      used = true;
      slot_bytes_ = std::max(slot_bytes_, plan_.rows * kBlockBytes + 192);
    }
    if (used) scratch_ = scratch(slot_bytes_ * (plan_.operands + 1));
  }

  void tiles(Index begin, Index end) {
    // Where tile `begin` lies: column block, row block, then the outer dimensions.
    const Index col_tiles = (plan_.size[0] + plan_.cols - 1) / plan_.cols;
    const bool has_rows = plan_.dim > 1;
    const Index row_size = has_rows ? plan_.size[plan_.row_dim] : 1;
    const Index row_tiles = (row_size + plan_.rows - 1) / plan_.rows;
    Index col = begin % col_tiles, rest = begin / col_tiles;
    Index row = rest % row_tiles;
    rest /= row_tiles;
    Index index[kMaxDims];
    for (int d = 1; d < plan_.dim; ++d) {
      index[d] = 0;
      if (d == plan_.row_dim) continue;
      index[d] = rest % plan_.size[d];
      rest /= plan_.size[d];
    }
    for (Index t = begin; t < end; ++t) {
      Tile tile;
      tile.cols = std::min(plan_.cols, plan_.size[0] - col * plan_.cols);
      tile.rows = std::min(plan_.rows, row_size - row * plan_.rows);
      for (int k = 0; k < plan_.operands; ++k) {
        char* p = job_.operands[k].data + col * plan_.cols * col_[k] + row * plan_.rows * row_[k];
        for (int d = 1; d < plan_.dim; ++d)
          p += index[d] * plan_.stride[k][d];
        tile.data[k] = p;
      }
      run(tile);
      if (++col < col_tiles) continue;
      col = 0;
      if (++row < row_tiles) continue;
      row = 0;
      for (int d = 1; d < plan_.dim; ++d) {
        if (d == plan_.row_dim) continue;
        if (++index[d] < plan_.size[d]) break;
        index[d] = 0;
      }
    }
    if (plan_.access[0] == Access::kStream) _mm_sfence();
  }

 private:
  char* slot(int k) const { return scratch_ + k * slot_bytes_; }
  char* staging() const { return scratch_ + plan_.operands * slot_bytes_; }

  void load(const Tile& tile, int k) {
    const Index n = tile.rows * tile.cols;
    // A broadcast operand often meets the same tile again.
    if (tile.data[k] == loaded_[k] && n == loaded_n_[k]) return;
    loaded_[k] = tile.data[k];
    loaded_n_[k] = n;
    const Dtype from = job_.operands[k].dtype, to = job_.as[k];
    const Index item = size_of(from), size = size_of(to);
    const bool converts = from != to;
    char* dst = slot(k);
    if (converts && col_[k] == item) {
      if (tile.rows == 1 || row_[k] == tile.cols * item) return convert(from, to, tile.data[k], dst, n);
      if (tile.cols >= 16) {
        for (Index r = 0; r < tile.rows; ++r)
          convert(from, to, tile.data[k] + r * row_[k], dst + r * tile.cols * size, tile.cols);
        return;
      }
    }
    char* dense = converts ? staging() : dst;
    move_tile(tile.data[k], col_[k], row_[k], dense, item, tile.cols * item, tile.rows, tile.cols, item);
    if (converts) convert(from, to, dense, dst, n);
  }

  // The blocks of `rows` values.
  void load_blocks(const char* data, int k, Index rows, char* blocks) {
    if (data == loaded_[k] && rows == loaded_n_[k]) return;
    loaded_[k] = data;
    loaded_n_[k] = rows;
    const Dtype from = job_.operands[k].dtype, to = job_.as[k];
    if (from == to) return moves_.blocks[item_size(to)](data, row_[k], blocks, rows);
    for (Index r = 0; r < rows; ++r) {
      alignas(16) char value[16];
      convert(from, to, data + r * row_[k], value, 1);
      moves_.blocks[item_size(to)](value, 0, blocks + r * kBlockBytes, 1);
    }
  }

  void store(const Tile& tile, const char* src) {
    const Dtype from = job_.as[0], to = job_.operands[0].dtype;
    const Index item = size_of(to), n = tile.rows * tile.cols;
    const bool dense = col_[0] == item && (tile.rows == 1 || row_[0] == tile.cols * item);
    if (plan_.access[0] == Access::kStream) return moves_.stream(src, tile.data[0], n * item);
    if (from != to) {
      if (dense) return convert(from, to, src, tile.data[0], n);
      convert(from, to, src, staging(), n);
      src = staging();
    }
    move_tile(src, item, tile.cols * item, tile.data[0], col_[0], row_[0], tile.rows, tile.cols, item);
  }

  // A copy between layouts without a stop in scratch.
  bool moved(const Tile& tile) {
    if (job_.kernel || plan_.access[1] == Access::kBlock || plan_.access[0] == Access::kStream) return false;
    if (job_.operands[0].dtype != job_.operands[1].dtype) return false;
    move_tile(tile.data[1], col_[1], row_[1], tile.data[0], col_[0], row_[0], tile.rows, tile.cols,
              size_of(job_.as[1]));
    return true;
  }

  void run(const Tile& tile) {
    if (moved(tile)) return;
    char* data[kMaxOperands];
    Index row_step[kMaxOperands];
    TileArgs args;
    args.params = job_.params;
    args.fault = &job_.fault;
    for (int k = 1; k < plan_.operands; ++k) {
      args.moves[k - 1] = 1;
      switch (plan_.access[k]) {
        case Access::kBlock: {
          const bool by_row = job_.kernel && plan_.row_calls && row_[k] != 0;
          data[k] = by_row ? slot(k) : block_[k];
          load_blocks(tile.data[k], k, by_row ? tile.rows : 1, data[k]);
          row_step[k] = by_row ? kBlockBytes : 0;
          args.moves[k - 1] = 0;
          break;
        }
        case Access::kScratch:
          load(tile, k);
          data[k] = slot(k);
          row_step[k] = tile.cols * size_of(job_.as[k]);
          break;
        default:
          data[k] = tile.data[k];
          row_step[k] = row_[k];
      }
    }
    const Index calls = plan_.row_calls ? tile.rows : 1;
    args.n = plan_.row_calls ? tile.cols : tile.rows * tile.cols;
    if (!job_.kernel) return copy_rows(tile, data[1], row_step[1], calls, args.n);

    const bool direct = plan_.access[0] != Access::kScratch;
    data[0] = direct ? tile.data[0] : slot(0);
    row_step[0] = direct ? row_[0] : tile.cols * size_of(job_.as[0]);
    args.stream = plan_.access[0] == Access::kStream;
    args.rows = calls;
    args.out = data[0];
    args.out_row = row_step[0];
    for (int k = 1; k < plan_.operands; ++k) {
      args.in[k - 1] = data[k];
      args.in_row[k - 1] = row_step[k];
    }
    job_.kernel(args);
    if (!direct) store(tile, data[0]);
  }

  // What `moved` left: values that do not move, conversions, and results past the caches.
  void copy_rows(const Tile& tile, char* src, Index src_row, Index calls, Index n) {
    const bool direct = plan_.access[0] != Access::kScratch;
    for (Index r = 0; r < calls; ++r) {
      Tile one = tile;
      if (calls > 1) one.rows = 1;
      one.data[0] = tile.data[0] + r * row_[0];
      if (plan_.access[1] == Access::kBlock) {
        load_blocks(tile.data[1] + r * row_[1], 1, 1, block_[1]);
        char* dst = direct ? one.data[0] : slot(0);
        moves_.fill[size_of(job_.as[1])](block_[1], dst, n);
        if (!direct) store(one, dst);
      } else {
        store(one, src + r * src_row);
      }
    }
  }

  const Job& job_;
  const Plan& plan_;
  const Moves& moves_ = moves();
  char* scratch_ = nullptr;
  Index slot_bytes_ = 0;
  Index col_[kMaxOperands], row_[kMaxOperands];
  const char* loaded_[kMaxOperands] = {};
  Index loaded_n_[kMaxOperands] = {};
  alignas(64) char block_[kMaxOperands][kBlockBytes];
};

void run_job(const Job& job) {
  const Plan& plan = job.plan;
  const Index per_task = std::max<Index>(1, kChunk / (plan.rows * plan.cols));
  parallel_ranges(plan.tiles, per_task, [&](Index begin, Index end) { Runner(job).tiles(begin, end); });
}

}  // namespace
}  // namespace pointwise

void run_pointwise(const Pointwise& op, Dtype compute, Dtype result, const TensorBase& out, const Operand* inputs,
                   int count, const void* params) {
  using namespace pointwise;
  if (out.numel() == 0) return;
  View views[kMaxOperands] = {view_of(out)};
  Dtype as[kMaxOperands] = {result};
  alignas(16) char numbers[kMaxInputs][16];
  // Half kernels take what does not move as float32, but a selection moves values of any kind.
  const bool wide_blocks = is_reduced_float(compute) && op.rule != TypeRule::kWhere;
  for (int k = 0; k < count; ++k) {
    as[k + 1] = op.rule == TypeRule::kWhere && k == 0 ? Dtype::kBool : compute;
    if (!inputs[k].tensor && wide_blocks) as[k + 1] = Dtype::kFloat32;
    if (inputs[k].tensor) {
      views[k + 1] = view_of(*inputs[k].tensor);
      continue;
    }
    visit_numbers(as[k + 1], [&](auto zero) {
      const auto value = inputs[k].number->to<decltype(zero)>();
      std::memcpy(numbers[k], &value, sizeof(value));
    });
    views[k + 1] = {numbers[k], as[k + 1], 0, nullptr, nullptr};
  }
  Work work = Work::kKernel;
  for (int k = 1; k <= count; ++k)
    if (views[k].data == views[0].data) work = Work::kInPlace;
  Job job{op.kernel(compute), params, views, as};
  make_plan(job.plan, views, count + 1, as, work);
  for (int k = 1; wide_blocks && k <= count; ++k)
    if (job.plan.access[k] == Access::kBlock) as[k] = Dtype::kFloat32;
  run_job(job);
  check(!job.fault, "ZeroDivisionError: ", op.name, " of integers by zero");
}

namespace {

void copy_on_cpu(const TensorBase& out, const TensorBase& in) {
  using namespace pointwise;
  if (out.numel() == 0) return;
  const Dtype from = in.dtype(), to = out.dtype();
  if (from != to && !(has_numbers(from) && has_numbers(to))) refuse_arithmetic(has_numbers(from) ? to : from);
  if (out.is_contiguous() && in.is_contiguous() && out.sizes() == in.sizes() && out.numel() < kChunk) {
    convert(from, to, in.data(), out.mutable_data(), out.numel());
    return;
  }
  const View views[] = {view_of(out), view_of(in)};
  // One conversion, made while storing.
  const Dtype as[] = {from, from};
  Job job{nullptr, nullptr, views, as};
  make_plan(job.plan, views, 2, as, Work::kCopy);
  run_job(job);
}

void fill_on_cpu(const TensorBase& out, const Scalar& value) {
  using namespace pointwise;
  if (out.numel() == 0) return;
  alignas(16) char number[16] = {};
  if (has_numbers(out.dtype()) || !value.is_zero())  // zero is written as bytes of 0 everywhere
    visit_numbers(out.dtype(), [&](auto zero) {
      const auto converted = value.to<decltype(zero)>();
      std::memcpy(number, &converted, sizeof(converted));
    });
  const View views[] = {view_of(out), {number, out.dtype(), 0, nullptr, nullptr}};
  const Dtype as[] = {out.dtype(), out.dtype()};
  Job job{nullptr, nullptr, views, as};
  make_plan(job.plan, views, 2, as, Work::kFill);
  run_job(job);
}

}  // namespace

constinit const Kernel<void(const TensorBase&, const TensorBase&)> copy_kernel(copy_on_cpu);
constinit const Kernel<void(const TensorBase&, const Scalar&)> fill_kernel(fill_on_cpu);

}  // namespace rushlight
