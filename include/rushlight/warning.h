// Warnings: one line to standard error, or to a handler (the Python extension raises them as UserWarning).
#pragma once
#include <string>

namespace rushlight {

void warn(const std::string& text);
// Replaces the handler; null: standard error. The handler may throw.
void set_warning_handler(void (*handler)(const std::string& text));

}  // namespace rushlight
