#include "rushlight/warning.h"

#include <atomic>
#include <cstdio>

namespace rushlight {

static constinit std::atomic<void (*)(const std::string&)> warning_handler{nullptr};

void set_warning_handler(void (*handler)(const std::string&)) { warning_handler = handler; }

void warn(const std::string& text) {
  if (const auto handler = warning_handler.load()) return handler(text);
  std::fprintf(stderr, "UserWarning: %s\n", text.c_str());
}

}  // namespace rushlight
