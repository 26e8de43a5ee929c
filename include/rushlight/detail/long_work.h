// What happens around long loops: the Python extension lets go of the interpreter lock there.
#pragma once

namespace rushlight {

// Called around loops of several tasks that are inside no other. `end` gets what `begin` returned.
void set_long_work_hooks(void* (*begin)(), void (*end)(void*));

// While one exists, the loops of this thread call no hooks: for code whose lock others wait for.
class LockedSection {
 public:
  LockedSection();
  ~LockedSection();
  LockedSection(const LockedSection&) = delete;
  LockedSection& operator=(const LockedSection&) = delete;
};

}  // namespace rushlight
