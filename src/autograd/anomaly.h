// Anomaly mode: nodes remember where they were made, and backward checks what they return.
#pragma once
#include "autograd/node.h"

namespace rushlight {

// Set by the bindings: the Python stack as text.
using TraceOfCaller = std::string (*)();
void set_trace_of_caller(TraceOfCaller function);

// Applies a node; on an error, or a NaN among the results, reports where the node was made.
void apply_in_anomaly_mode(Node& node, Tensor* in, Tensor* out);

}  // namespace rushlight
