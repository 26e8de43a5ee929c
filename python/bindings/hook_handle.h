// What register_hook returns: takes the hook away again, without keeping its tensor or node alive.
#pragma once
#include <memory>

#include "hook_callable.h"

namespace rushlight::python {

PyObject* make_hook_handle(std::shared_ptr<HookPlace> place);
bool setup_hook_handle(PyObject* module);

}  // namespace rushlight::python
