// Building files by hand.
#include "build.h"

#include <zlib.h>

#include <algorithm>

#include "io/zip.h"

namespace rushlight::fuzz {

std::string text(const std::string& utf8) { return "X" + le(utf8.size(), 4) + utf8; }
std::string number(std::int64_t value) {
  const bool small = value >= INT32_MIN && value <= INT32_MAX;
  return (small ? "J" : std::string("\x8a\x08")) + le(static_cast<std::uint64_t>(value), small ? 4 : 8);
}
std::string big(std::uint64_t low, std::uint8_t high) { return "\x8a\x09" + le(low, 8) + static_cast<char>(high); }
std::string tuple(const std::vector<std::string>& items) {
  std::string out = "(";
  for (const std::string& item : items)
    out += item;
  return out + "t";
}
std::string numbers(const std::vector<std::int64_t>& values) {
  std::vector<std::string> items;
  for (const std::int64_t value : values)
    items.push_back(number(value));
  return tuple(items);
}
std::string global(const std::string& module, const std::string& name) { return "c" + module + "\n" + name + "\n"; }
std::string ordered_dict() { return global("collections", "OrderedDict") + ")R"; }
std::string storage(const std::string& numel, const std::string& key, const std::string& type) {
  return tuple({text("storage"), global("torch", type), text(key), text("cpu"), numel}) + "Q";
}
std::string tensor(const std::string& storage, const std::string& offset, const std::string& sizes,
                   const std::string& strides, const std::string& hooks) {
  return global("torch._utils", "_rebuild_tensor_v2") + tuple({storage, offset, sizes, strides, "\x89", hooks}) + "R";
}
std::string sparse(const std::string& layout, const std::vector<std::string>& parts) {
  return global("torch._utils", "_rebuild_sparse_tensor") +
         tuple({global("torch.serialization", "_get_layout") + text(layout) + "\x85R", tuple(parts)}) + "R";
}

std::vector<std::string> opcodes(const std::string& pickle) {
  const auto count = [&](std::size_t at, std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes && at + i < pickle.size(); ++i)
      value |= std::uint64_t{static_cast<std::uint8_t>(pickle[at + i])} << 8 * i;
    return value;
  };
  const auto length = [&](std::size_t at) -> std::uint64_t {
    switch (static_cast<std::uint8_t>(pickle[at])) {
      case 0x80:
      case 'K':
      case 'q':
      case 'h':
        return 2;
      case 'M':
        return 3;
      case 'J':
      case 'r':
      case 'j':
        return 5;
      case 'G':
      case 0x95:
        return 9;
      case 'X':
      case 'B':
        return 5 + count(at + 1, 4);
      case 0x8C:
      case 'C':
      case 0x8A:
        return 2 + count(at + 1, 1);
      case 0x8D:
      case 0x8E:
      case 0x96:
        return 9 + count(at + 1, 8);
      case 'c': {
        const std::size_t first = pickle.find('\n', at);
        const std::size_t second = first == std::string::npos ? first : pickle.find('\n', first + 1);
        return second == std::string::npos ? pickle.size() - at : second + 1 - at;
      }
      default:
        return 1;
    }
  };
  std::vector<std::string> found;
  for (std::size_t at = 0; at < pickle.size();) {
    const std::size_t size = std::min<std::uint64_t>(length(at), pickle.size() - at);
    found.push_back(pickle.substr(at, size));
    at += size;
  }
  return found;
}

std::string deflate(const std::string& data) {
  z_stream z{};
  ::deflateInit2(&z, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(::deflateBound(&z, data.size()), '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  z.avail_in = static_cast<uInt>(data.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  ::deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  ::deflateEnd(&z);
  return out;
}

std::string archive(const std::vector<Member>& members, Random* spoil) {
  // A field of a header, wrong once in a while.
  const auto field = [&](std::uint64_t value, std::size_t bytes) {
    if (spoil && spoil->one_in(60)) value = spoil->one_in(2) ? spoil->edge() : value + spoil->below(5) - 2;
    return le(value, bytes);
  };
  std::string out, directory;
  std::size_t count = 0;
  for (const Member& member : members) {
    const std::string packed = member.deflated ? deflate(member.data) : member.data;
    const std::uint64_t crc = ::crc32_z(0, reinterpret_cast<const Bytef*>(member.data.data()), member.data.size());
    const std::size_t method = member.deflated ? 8 : 0, start = out.size();
    const bool zip64 = spoil && spoil->one_in(8);
    const auto sizes = [&](bool with_offset) {
      std::string extra = field(packed.size(), 8) + field(member.data.size(), 8);
      if (with_offset) extra += field(start, 8);
      return field(1, 2) + field(extra.size(), 2) + extra;
    };
    const auto header = [&](std::uint32_t signature, bool central) {
      const std::string extra = zip64 ? sizes(central) : "";
      std::string part = field(signature, 4) + field(20, 2);
      if (central) part += field(20, 2);
      part += field(0, 2) + field(method, 2) + field(0, 4) + field(crc, 4) +
              field(zip64 ? 0xFFFFFFFF : packed.size(), 4) + field(zip64 ? 0xFFFFFFFF : member.data.size(), 4) +
              field(member.name.size(), 2) + field(extra.size(), 2);
      if (central) part += field(0, 2) + field(0, 2) + field(0, 2) + field(0, 4) + field(zip64 ? 0xFFFFFFFF : start, 4);
      return part + member.name + extra;
    };
    out += header(0x04034b50, false) + packed;
    directory += header(0x02014b50, true);
    ++count;
  }
  const std::size_t at = out.size();
  out += directory;
  if (spoil && spoil->one_in(8)) {
    const std::size_t end = out.size();
    out += field(0x06064b50, 4) + field(44, 8) + field(45, 2) + field(45, 2) + field(0, 4) + field(0, 4) +
           field(count, 8) + field(count, 8) + field(directory.size(), 8) + field(at, 8);
    out += field(0x07064b50, 4) + field(0, 4) + field(end, 8) + field(1, 4);
  }
  return out + field(0x06054b50, 4) + field(0, 2) + field(0, 2) + field(count, 2) + field(count, 2) +
         field(directory.size(), 4) + field(at, 4) + field(0, 2);
}

std::vector<Member> members_of(const std::string& archive) {
  const io::Bytes bytes(reinterpret_cast<const std::uint8_t*>(archive.data()), archive.size());
  const io::ZipReader zip(bytes, io::ZipMethods::StoredOrDeflated);
  std::vector<Member> members;
  for (const io::ZipEntry& entry : zip.entries()) {
    Member member{entry.name, "", entry.deflated};
    if (entry.deflated)
      member.data.assign(reinterpret_cast<const char*>(zip.inflate(entry).get()), entry.size);
    else
      member.data.assign(reinterpret_cast<const char*>(zip.data(entry).data()), entry.size);
    members.push_back(std::move(member));
  }
  return members;
}

std::string checkpoint(const std::string& pickle, const std::vector<Member>& storages) {
  std::vector<Member> members{{"a/data.pkl", pickle}, {"a/byteorder", "little"}, {"a/version", "3\n"}};
  for (const Member& storage : storages)
    members.push_back({"a/data/" + storage.name, storage.data});
  return archive(members);
}
std::string legacy(const std::string& pickle, const std::vector<Member>& storages) {
  const std::string magic("\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 10);
  std::string out = kProto + "\x8a\x0a" + magic + "." + kProto + "M\xe9\x03." + kProto + "}" + text("little_endian") +
                    "\x88s." + pickle + kProto + "]";
  for (const Member& storage : storages)
    out += text(storage.name) + "a";
  out += ".";
  for (const Member& storage : storages)
    out += storage.data;
  return out;
}
std::string npy(const std::string& header, const std::string& data, int version) {
  return std::string("\x93NUMPY") + static_cast<char>(version) + '\0' + le(header.size(), version == 1 ? 2 : 4) +
         header + data;
}
std::string safetensors(const std::string& header, const std::string& data) {
  return le(header.size(), 8) + header + data;
}

}  // namespace rushlight::fuzz
