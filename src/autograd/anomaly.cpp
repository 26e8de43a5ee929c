// Anomaly mode: nodes remember where they were made, and backward checks what they return.
#include "autograd/anomaly.h"

#include <atomic>

#include "rushlight/autograd.h"
#include "rushlight/ops.h"
#include "rushlight/warning.h"

namespace rushlight {
namespace {

std::atomic<bool> check_nan{true};
constinit thread_local Node* running = nullptr;  // the node whose backward runs

struct Running {
  explicit Running(Node& node) : before(std::exchange(running, &node)) {}
  ~Running() { running = before; }
  Node* before;
};

constinit TraceOfCaller trace_of_caller = nullptr;

void report(const Node& node) {
  const bool known = node.hooks && !node.hooks->trace.empty();
  warn(known ? str("Error detected in ", node.name(), ". Traceback of forward call that caused the error:\n",
                   node.hooks->trace)
             : str("Error detected in ", node.name(),
                   ". No forward pass information available. Enable detect anomaly during "
                   "forward pass for more information."));
  for (const Node* parent = node.hooks ? node.hooks->parent : nullptr; parent && parent->hooks;
       parent = parent->hooks->parent)
    warn(str("Previous calculation was induced by ", parent->name(),
             ". Traceback of forward call that induced the previous "
             "calculation:\n",
             parent->hooks->trace));
}

}  // namespace

void set_trace_of_caller(TraceOfCaller function) { trace_of_caller = function; }

void note_creation(Node& node) {
  NodeHooks& hooks = node.make_hooks();
  if (trace_of_caller) hooks.trace = trace_of_caller();
  if (running) {
    running->retain();
    hooks.parent = running;
  }
}

void apply_in_anomaly_mode(Node& node, Tensor* in, Tensor* out) {
  const Running scope(node);
  try {
    node.type->apply(node, in, out);
    if (!check_nan.load(std::memory_order_relaxed)) return;
    const ModeScope plain(kGradOff);
    for (std::uint32_t i = 0; i < node.edge_count; ++i)
      if (out[i].defined() && !out[i].is_meta())
        check(!rushlight::any(rushlight::ne(out[i], out[i])).item<bool>(), "Function '", node.name(),
              "' returned nan values in its ", i, "th output.");
  } catch (...) {
    report(node);
    throw;
  }
}

namespace autograd {

void set_detect_anomaly(bool on, bool with_nan) {
  thread.modes = on ? thread.modes | kAnomaly : thread.modes & ~kAnomaly;
  check_nan = with_nan;
}
bool is_anomaly_enabled() { return thread.modes & kAnomaly; }
bool is_anomaly_check_nan_enabled() { return check_nan; }

}  // namespace autograd
}  // namespace rushlight
