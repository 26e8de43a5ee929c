// Pickle subset. The machine makes data nodes; it holds no function pointers, imports nothing.
#pragma once
#include "io/document.h"
namespace rushlight::io {
// Runs one pickle at `c`; leaves the cursor behind STOP. `persistent_storage`: whether
// ("storage", class, key, location, numel) ids are allowed. Returns the value's id.
Id unpickle(Document& d, Cursor& c, std::string_view where, const Limits& lim, bool persistent_storage);
// Protocol 2 with the opcodes that torch.load(weights_only=True) accepts.
struct Pickled {
  std::string bytes;
  std::vector<uint32_t> storages; /* key k names storages[k]: only those reached from the root */
};
Pickled pickle(const Document& d);
}  // namespace rushlight::io
