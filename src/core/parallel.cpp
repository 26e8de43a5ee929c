// The thread pool: workers spin for a short while, then sleep; a forked child starts afresh.
#include "rushlight/parallel.h"

#include "rushlight/detail/long_work.h"

#include <immintrin.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "rushlight/detail/pool.h"
#include "rushlight/error.h"

namespace rushlight {
namespace {

constexpr int kSpins = 4000;  // 50 to 100 us of pause instructions before sleeping

class Pool {
 public:
  ~Pool() { stop(); }
  int workers() const { return static_cast<int>(threads_.size()); }

  void resize(int workers) {
    stop();
    stopping_ = false;
    for (int i = 0; i < workers; ++i)
      threads_.emplace_back([this, seen = epoch_.load()] { loop(seen); });
  }

  void run(std::int64_t tasks, void (*function)(const void*, std::int64_t), const void* context) {
    function_ = function;
    context_ = context;
    tasks_ = tasks;
    modes_ = thread.modes;
    floats_ = _mm_getcsr();
    next_.store(0, std::memory_order_relaxed);
    busy_.store(workers(), std::memory_order_relaxed);
    epoch_.fetch_add(1);  // publishes the fields above
    if (sleeping_.load() > 0) {
      const std::lock_guard lock(mutex_);
      wake_.notify_all();
    }
    work();
    // Workers that share a core with others may be descheduled: give way instead of burning the time they need.
    for (int spins = 0; busy_.load(std::memory_order_acquire) > 0; ++spins) {
      if (spins < kSpins)
        _mm_pause();
      else
        std::this_thread::yield();
    }
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      epoch_.fetch_add(1);
    }
    wake_.notify_all();
    for (auto& worker : threads_)
      worker.join();
    threads_.clear();
  }
  // The first exception of a task, memory that ran out as a rule, ends the loop and is thrown again by the caller.
  void work() noexcept {
    try {
      for (std::int64_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < tasks_;)
        function_(context_, i);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      next_.store(tasks_, std::memory_order_relaxed);
    }
  }
  void loop(unsigned seen);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<unsigned> epoch_{0};
  std::atomic<int> sleeping_{0}, busy_{0};
  std::atomic<std::int64_t> next_{0};
  std::atomic<bool> stopping_{false};
  std::int64_t tasks_ = 0;
  void (*function_)(const void*, std::int64_t) = nullptr;
  const void* context_ = nullptr;
  Word modes_ = 0;
  unsigned floats_ = 0;  // how the caller's arithmetic rounds and whether it flushes subnormals
  std::exception_ptr failure_;
};

constinit thread_local bool inside_task = false;

void Pool::loop(unsigned seen) {
  inside_task = true;
  for (;;) {
    int spins = 0;
    while (epoch_.load(std::memory_order_acquire) == seen && ++spins < kSpins)
      _mm_pause();
    if (epoch_.load() == seen) {
      std::unique_lock lock(mutex_);
      sleeping_.fetch_add(1);
      wake_.wait(lock, [&] { return epoch_.load() != seen; });
      sleeping_.fetch_sub(1);
    }
    ++seen;
    if (stopping_) return;
    thread.modes = modes_;
    _mm_setcsr(floats_);
    work();
    busy_.fetch_sub(1, std::memory_order_release);
  }
}

int cgroup_limit() {
  long long quota = -1, period = 100000;
  if (FILE* file = std::fopen("/sys/fs/cgroup/cpu.max", "r")) {
    if (std::fscanf(file, "%lld %lld", &quota, &period) != 2) quota = -1;
    std::fclose(file);
  }
  return quota > 0 ? std::max(1, static_cast<int>(std::ceil(static_cast<double>(quota) / static_cast<double>(period))))
                   : 1 << 20;
}

int default_threads() {
  cpu_set_t set;
  int count = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
  count = std::min(count, cgroup_limit());
  if (const char* text = std::getenv("OMP_NUM_THREADS"))
    if (const int wanted = std::atoi(text); wanted > 0) count = std::min(count, wanted);
  return count;
}

// Leaked: workers must not be joined while the process is torn down.
Pool* pool = nullptr;
std::atomic<int> wanted_threads{0};  // 0: not asked for yet
std::mutex pool_mutex;               // one parallel region at a time; a second caller runs serially

void forget_pool_in_child() {
  pool = nullptr;  // its threads do not exist here
  inside_task = false;
  new (&pool_mutex) std::mutex;
}

}  // namespace

int num_threads() {
  const int count = wanted_threads.load(std::memory_order_relaxed);
  if (count) [[likely]]
    return count;
  int unset = 0;  // what set_num_threads stored meanwhile stays
  const int found = default_threads();
  return wanted_threads.compare_exchange_strong(unset, found, std::memory_order_relaxed) ? found : unset;
}

void set_num_threads(int count) {
  check<ValueError>(count >= 1, "set_num_threads: expected a positive number of threads, got ", count);
  const std::lock_guard lock(pool_mutex);
  wanted_threads = count;
  if (pool && pool->workers() != count - 1) pool->resize(count - 1);
}

bool in_parallel_region() { return inside_task; }

namespace {

void* (*begin_long_work)() = nullptr;
void (*end_long_work)(void*) = nullptr;
constinit thread_local int locked_sections = 0;

class LongWork {
 public:
  explicit LongWork(bool several) : called_(several && begin_long_work && !inside_task && locked_sections == 0) {
    if (called_) state_ = begin_long_work();
  }
  ~LongWork() {
    if (called_) end_long_work(state_);
  }
  LongWork(const LongWork&) = delete;
  LongWork& operator=(const LongWork&) = delete;

 private:
  bool called_;
  void* state_ = nullptr;
};

}  // namespace

void set_long_work_hooks(void* (*begin)(), void (*end)(void*)) {
  begin_long_work = begin;
  end_long_work = end;
}
LockedSection::LockedSection() { ++locked_sections; }
LockedSection::~LockedSection() { --locked_sections; }

void detail::run_tasks(std::int64_t tasks, void (*function)(const void*, std::int64_t), const void* context) {
  const auto serially = [&] {
    for (std::int64_t i = 0; i < tasks; ++i)
      function(context, i);
  };
  const LongWork work(tasks > 1);  // before the lock, so that it ends after it
  if (inside_task || num_threads() == 1) return serially();
  const std::unique_lock lock(pool_mutex, std::try_to_lock);
  if (!lock.owns_lock()) return serially();
  if (!pool) {
    static const int registered = pthread_atfork(nullptr, nullptr, forget_pool_in_child);
    (void)registered;
    pool = new Pool;
    pool->resize(num_threads() - 1);
  }
  struct Inside {
    Inside() { inside_task = true; }
    ~Inside() { inside_task = false; }
  } const inside;
  pool->run(tasks, function, context);
}

}  // namespace rushlight
