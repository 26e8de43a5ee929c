// The thread pool: one per process, no OpenMP. Results must never depend on the number of threads,
// so callers cut work by shape, not by thread count.
#pragma once
#include <cstdint>

namespace rushlight {

// Threads that kernels may use, the caller included. The default is the smallest of the CPUs this process may
// run on, its cgroup quota and OMP_NUM_THREADS.
int num_threads();
void set_num_threads(int count);  // throws ValueError below 1
inline int get_num_threads() { return num_threads(); }
bool in_parallel_region();

namespace detail {
void run_tasks(std::int64_t tasks, void (*function)(const void*, std::int64_t), const void* context);
}

// body(task) for every task in [0, tasks), handed out one at a time. Nested calls run serially. The
// first exception of a body ends the loop and reaches the caller.
template <class Body>
void parallel_for(std::int64_t tasks, const Body& body) {
  if (tasks == 1) return body(std::int64_t{0});
  detail::run_tasks(
      tasks, [](const void* context, std::int64_t task) { (*static_cast<const Body*>(context))(task); }, &body);
}

// body(begin, end) over [0, count) in pieces of `grain`.
template <class Body>
void parallel_ranges(std::int64_t count, std::int64_t grain, const Body& body) {
  if (count <= 0) return;
  const std::int64_t tasks = (count + grain - 1) / grain;
  parallel_for(tasks, [&](std::int64_t task) {
    const std::int64_t begin = task * grain;
    body(begin, begin + grain < count ? begin + grain : count);
  });
}

}  // namespace rushlight
