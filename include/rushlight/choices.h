// Names of choices in options, by libtorch's constants: kSum, kReLU, kFanOut, kBilinear.
#pragma once
#include "rushlight/error.h"

namespace rushlight {

enum class Choice : std::uint8_t {
  kNone,
  kMean,
  kSum,
  kBatchMean,  // reductions of losses
  kLinear,
  kSigmoid,
  kTanh,
  kReLU,
  kLeakyReLU,
  kGELU,
  kSELU,  // functions, for gains and recurrent cells
  kFanIn,
  kFanOut,  // modes of initialisers
  kConstant,
  kReflect,
  kReplicate,
  kCircular,  // padding
  kNearest,
  kNearestExact,
  kBilinear,
  kBicubic,
  kTrilinear,
  kArea,  // resampling
};
using enum Choice;

// The numbers that operators take as `reduction`.
namespace Reduction {
enum Reduction : std::int64_t { None, Mean, Sum };
}
inline std::int64_t reduction_of(Choice choice) {
  check<ValueError>(choice <= kSum, "loss: this reduction is not valid; use kNone, kMean or kSum");
  return static_cast<std::int64_t>(choice);
}

}  // namespace rushlight
