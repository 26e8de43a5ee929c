// Backward between edges of the graph instead of tensors: an edge stays where it was when its
// tensor is changed in place.
#pragma once
#include "autograd/node.h"

namespace rushlight {

struct StartingEdge {
  Edge edge;        // with one reference to its node, taken over
  Tensor gradient;  // defined
};
// Runs from `starts`. With targets (whose references are taken over too) returns their gradients
// when `capture` is set, else accumulates into those that are leaves; without targets accumulates
// into all leaves.
std::vector<Tensor> backward_from_edges(std::vector<StartingEdge> starts, const std::vector<Edge>& targets,
                                        bool keep_graph, bool create_graph, bool capture);
// False while this thread computes the gradients of chosen tensors only, at any level of nested runs.
bool backward_reaches_all_leaves();

}  // namespace rushlight
