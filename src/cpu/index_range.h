// Whether indices are within their dimension.
#pragma once
#include <cstdint>

namespace rushlight {

// Whether all of n indices, `step` elements apart, are from 0 to size - 1.
bool indices_in_range(const std::int64_t* at, std::int64_t step, std::int64_t n, std::int64_t size);

}  // namespace rushlight
