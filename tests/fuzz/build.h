// Files put together by hand: pickles from opcodes, zip archives whose every field can be wrong, legacy streams.
#pragma once
#include <string>
#include <vector>

#include "random.h"

namespace rushlight::fuzz {

// --- pickle opcodes ------------------------------------------------------------------------------------
inline const std::string kProto("\x80\x02", 2);
std::string text(const std::string& utf8);
std::string number(std::int64_t value);
std::string big(std::uint64_t low, std::uint8_t high);  // a 9-byte integer
std::string tuple(const std::vector<std::string>& items);
std::string numbers(const std::vector<std::int64_t>& values);
std::string global(const std::string& module, const std::string& name);
std::string ordered_dict();
std::string storage(const std::string& numel, const std::string& key = "0", const std::string& type = "FloatStorage");
std::string tensor(const std::string& storage, const std::string& offset, const std::string& sizes,
                   const std::string& strides, const std::string& hooks = ordered_dict());
std::string sparse(const std::string& layout, const std::vector<std::string>& parts);
// Opcodes one by one; what follows an unknown one is cut at each byte.
std::vector<std::string> opcodes(const std::string& pickle);

// --- zip -----------------------------------------------------------------------------------------------
struct Member {
  std::string name, data;
  bool deflated = false;
};
std::string deflate(const std::string& data);
// A valid archive; with `spoil`, some fields of its headers are wrong.
std::string archive(const std::vector<Member>& members, Random* spoil = nullptr);
std::vector<Member> members_of(const std::string& archive);

// --- whole files ---------------------------------------------------------------------------------------
std::string checkpoint(const std::string& pickle, const std::vector<Member>& storages = {});
std::string legacy(const std::string& pickle, const std::vector<Member>& storages);  // sizes come before the data
std::string npy(const std::string& header, const std::string& data, int version = 1);
std::string safetensors(const std::string& header, const std::string& data);

}  // namespace rushlight::fuzz
