// Names of nodes of compositions: the last operator shows the name that PyTorch has for the whole.
#pragma once
#include <string_view>

#include "rushlight/tensor.h"

namespace rushlight {

// Made before the composition; given its result, names the node that recorded it. A result that the composition did
// not make itself, such as an argument returned as it is, keeps its name.
class ShownAs {
 public:
  explicit ShownAs(const char* name) : name_(name), before_(thread.sequence) {}
  Tensor operator()(Tensor result) const {
    if (result.impl()->grad_fn) [[unlikely]]
      rename(result);
    return result;
  }

 private:
  void rename(const Tensor& result) const;
  const char* name_;
  std::uint64_t before_;
};

// The node of `result`, if there is one, shows `name`, which is kept for good.
void show_as(const Tensor& result, std::string_view name);
// What the node of a tensor shows; empty without one.
std::string_view shown_name(const Tensor& tensor);

}  // namespace rushlight
