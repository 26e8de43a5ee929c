// Mutations: bytes anywhere, opcodes of pickles, members and headers of archives, texts of headers.
#include <algorithm>
#include <cctype>
#include <cstring>

#include "build.h"
#include "formats.h"

namespace rushlight::fuzz {
namespace {

// --- any bytes -----------------------------------------------------------------------------------------
void change_bytes(std::string& text, Random& random) {
  for (std::size_t changes = 1 + random.below(random.one_in(2) ? 10 : 2); changes-- && !text.empty();) {
    const std::size_t at = random.below(text.size());
    switch (random.below(7)) {
      case 0:
        text[at] = static_cast<char>(text[at] ^ 1 << random.below(8));
        break;
      case 1:
        text[at] = random.letter();
        break;
      case 2:
        put_le(text, at, random.edge(), std::size_t{1} << random.below(4));
        break;
      case 3:
        text.resize(at);
        break;
      case 4:
        text.insert(random.below(text.size()), text.substr(at, random.below(64)));
        break;
      case 5:
        text.erase(at, random.below(64));
        break;
      case 6:
        text.append(random.below(32), random.letter());
        break;
    }
  }
}

// --- pickles -------------------------------------------------------------------------------------------
// The first opcode from `at` on that is one of `kinds`, to be changed.
std::string* next_of(std::vector<std::string>& ops, std::size_t at, std::string_view kinds, std::size_t longer_than) {
  for (; at < ops.size(); ++at)
    if (kinds.find(ops[at][0]) != kinds.npos && ops[at].size() > longer_than) return &ops[at];
  return nullptr;
}

void change_opcodes(std::vector<std::string>& ops, const std::vector<std::string>& known, Random& random) {
  static constexpr std::string_view kSingle = "()]}tsueaRQbN.\x85\x86\x87\x88\x89\x8f\x90\x93\x94\x81\x82\x92oi0122";
  const std::size_t at = 1 + random.below(ops.size() - 1);
  const auto here = ops.begin() + static_cast<std::ptrdiff_t>(at);
  switch (random.below(12)) {
    case 0:
      ops.erase(here);
      break;
    case 1:
      ops.insert(here, std::string(ops[random.below(ops.size())]));
      break;
    case 2:
      std::swap(ops[at], ops[random.below(ops.size())]);
      break;
    case 3:
      ops[at] = random.of(known);
      break;
    case 4:
      ops.insert(here, random.of(known));
      break;
    case 5:
      ops[at] = std::string(1, random.of(kSingle));
      break;
    case 6:
      if (std::string* op = next_of(ops, at, "KMJ\x8a", 1)) *op = number(static_cast<std::int64_t>(random.edge()));
      break;
    case 7:
      if (std::string* op = next_of(ops, at, "hjqr", 1))
        put_le(*op, 1, random.one_in(2) ? random.edge() : random.below(64), op->size() - 1);
      break;
    case 8:
      if (ops[at].size() > 1) ops[at][random.below(ops[at].size())] ^= static_cast<char>(1 << random.below(8));
      break;
    case 9: {
      std::string run;
      for (std::size_t i = random.below(ops.size()), left = random.below(24); left-- && i < ops.size(); ++i)
        run += ops[i];
      ops.insert(here, run);
      break;
    }
    case 10:
      if (std::string* op = next_of(ops, at, "XBC\x8c", 4)) put_le(*op, 1, random.edge(), 4);
      break;
    case 11: {  // nesting, or one operation many times
      std::string run;
      const std::string& op = random.one_in(2) ? ops[at] : random.of(known);
      for (std::size_t count = random.below(random.one_in(50) ? 3000 : 30); count--;)
        run += op;
      ops.insert(here, run);
      break;
    }
  }
}

// --- header texts --------------------------------------------------------------------------------------
// Replaces the number at or after a random place.
void change_number(std::string& text, Random& random) {
  std::size_t at = random.below(text.size() + 1);
  while (at < text.size() && !std::isdigit(static_cast<unsigned char>(text[at])))
    ++at;
  std::size_t end = at;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
    ++end;
  if (at < end) text.replace(at, end - at, std::to_string(random.one_in(2) ? random.edge() : random.below(64)));
}

void change_header(std::string& text, std::string_view letters, const std::vector<std::string>& words, Random& random) {
  for (std::size_t changes = 1 + random.below(4); changes-- && !text.empty();)
    switch (random.below(7)) {
      case 0:
      case 1:
        change_number(text, random);
        break;
      case 2:
        text[random.below(text.size())] = random.of(letters);
        break;
      case 3:
        change_bytes(text, random);
        break;
      case 4:
        text.insert(random.below(text.size()), text.substr(random.below(text.size()), random.below(60)));
        break;
      case 5: {
        const std::string& word = random.of(words);
        text.replace(random.below(text.size()), random.one_in(2) ? word.size() : 0, word);
        break;
      }
      case 6: {  // one word for another
        const std::size_t at = text.find(random.of(words));
        const std::size_t quote = at == std::string::npos ? at : text.find_first_of("\"'", at);
        if (quote != std::string::npos) text.replace(at, quote - at, random.of(words));
        break;
      }
    }
}

std::string changed_safetensors(const std::string& file, Random& random) {
  static const std::vector<std::string> words{
      "F32",          "F64",
      "BOOL",         "BF16",
      "F8_E4M3",      "I64",
      "U8",           "C64",
      "F4",           "dtype",
      "shape",        "data_offsets",
      "__metadata__", "null",
      "true",         "-1",
      "1e3",          "[]",
      "{}",           "\\u0000",
      "\\ud800",      "\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]},\""};
  std::uint64_t size = 0;
  std::memcpy(&size, file.data(), 8);
  size = std::min<std::uint64_t>(size, file.size() - 8);
  std::string header = file.substr(8, size), body = file.substr(8 + size);
  change_header(header, std::string_view("{}[]\",:0-.e\\ \0n", 15), words, random);
  if (random.one_in(4)) body.resize(random.below(body.size() + 16));
  return le(random.one_in(20) ? random.edge() : header.size(), 8) + header + body;
}

std::string changed_npy(const std::string& file, Random& random) {
  static const std::vector<std::string> words{
      "<f4",  ">f8",   "|b1", "<c16", "|O", "<U3",  "<u8",  ">c8", "descr",          "fortran_order",      "shape",
      "True", "False", "(",   ")",    "()", "(0,)", "(1,)", "L",   "[('a', '<f4')]", "9223372036854775808"};
  const std::size_t prefix = file[6] == 1 ? 10 : 12;
  const std::size_t size =
      std::min(file.size() - prefix,
               file[6] == 1 ? static_cast<std::uint8_t>(file[8]) + std::size_t{256} * static_cast<std::uint8_t>(file[9])
                            : std::size_t{static_cast<std::uint8_t>(file[8])});
  std::string header = file.substr(prefix, size), body = file.substr(prefix + size);
  change_header(header, std::string_view("{}()[]'\",:0-.L \0n", 17), words, random);
  if (random.one_in(4)) body.resize(random.below(body.size() + 16));
  std::string out = npy(header, body, file[6]);
  if (random.one_in(20)) put_le(out, 6 + random.below(6), random.edge(), 4);
  return out;
}

}  // namespace

Mutator::Mutator(Format format, const std::vector<std::string>& corpus) : format_(format) {
  for (const std::string& file : corpus) {
    std::string pickle = file;
    if (format == Format::kCheckpoint)
      for (const Member& member : members_of(file))
        if (member.name.ends_with("data.pkl")) pickle = member.data;
    if (format == Format::kCheckpoint || format == Format::kLegacy || format == Format::kPickle)
      for (std::string& op : opcodes(pickle))
        opcodes_.push_back(std::move(op));
  }
}

std::string Mutator::pickle(const std::string& pickle, Random& random) const {
  std::vector<std::string> ops = opcodes(pickle);
  for (std::size_t changes = 1 + random.below(random.one_in(3) ? 8 : 2); changes-- && ops.size() > 2;)
    change_opcodes(ops, opcodes_, random);
  std::string out;
  for (const std::string& op : ops)
    out += op;
  return out;
}

std::string Mutator::members(const std::string& archive, Random& random) const {
  std::vector<Member> members = members_of(archive);
  Member& one = random.of(members);
  switch (random.below(8)) {
    case 0:
      members.push_back(Member(one));
      break;
    case 1:
      members.erase(members.begin() + static_cast<std::ptrdiff_t>(random.below(members.size())));
      break;
    case 2:
      one.data.resize(random.below(200));
      break;
    case 3:
      change_bytes(one.name, random);
      break;
    case 4:
      one.deflated = !one.deflated;
      break;
    default:
      for (Member& member : members)
        if (format_ == Format::kCheckpoint && member.name.ends_with("/data.pkl"))
          member.data = pickle(member.data, random);
        else if (format_ == Format::kNpz && random.one_in(2))
          member.data = changed_npy(member.data, random);
  }
  return fuzz::archive(members, random.one_in(4) ? &random : nullptr);
}

std::string Mutator::mutated(const std::string& file, Random& random) const {
  std::string out = file;
  if (random.one_in(8)) {
    change_bytes(out, random);
    return out;
  }
  switch (format_) {
    case Format::kCheckpoint:
    case Format::kNpz:
      out = members(file, random);
      break;
    case Format::kLegacy:
    case Format::kPickle:
      return pickle(file, random);
    case Format::kSafetensors:
      return changed_safetensors(file, random);
    case Format::kNpy:
      return changed_npy(file, random);
  }
  if (random.one_in(8)) change_bytes(out, random);
  return out;
}

}  // namespace rushlight::fuzz
