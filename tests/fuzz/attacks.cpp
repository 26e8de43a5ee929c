// Hostile files made by hand, each against one rule.
#include "build.h"
#include "formats.h"

namespace rushlight::fuzz {
namespace {

const std::string kZeros(16, '\0');
std::string repeated(const std::string& part, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i)
    out += part;
  return out;
}
std::string four() { return storage(number(4)); }
std::string row(const std::string& store, std::int64_t count, std::int64_t stride = 1, std::int64_t offset = 0) {
  return tensor(store, number(offset), numbers({count}), numbers({stride}));
}

// Pickles that need no storages, or one named 0 of four zeros.
std::vector<Attack> pickles() {
  const auto p = [](const std::string& body) { return kProto + body + "."; };
  const std::string list = "]q" + le(0, 1) + "(" + repeated("K\1", 50000) + "e", get = "h" + le(0, 1);
  return {
      {"valid tensor", p(tensor(four(), number(0), numbers({2, 2}), numbers({2, 1}))), true},
      {"valid number", p("N"), true},
      {"os.system", p(global("os", "system") + tuple({text("id")}) + "R")},
      {"os.system by stack", "\x80\x04\x8c\x05posix\x8c\x06system\x93" + tuple({text("id")}) + "R."},
      {"builtins.eval", p(global("__builtin__", "eval") + tuple({text("1")}) + "R")},
      {"inst", p("(S'id'\nios\nsystem\n")},
      {"obj", p("(" + global("os", "system") + text("id") + "o")},
      {"newobj", p(global("torch", "Tensor") + ")\x81")},
      {"extension", p(std::string("\x82\1", 2))},
      {"next buffer", "\x80\x05\x97."},
      {"call of a type", p(global("torch", "Tensor") + ")R")},
      {"call of data", p(text("x") + ")R")},
      {"bare global", p(global("torch", "Tensor"))},
      {"global in a list", p("]" + global("torch._utils", "_rebuild_tensor_v2") + "a")},
      {"build on a tensor", p(row(four(), 4) + "}b")},
      {"build on a dict", p("}}b")},
      {"setitem on a list", p("]K\1K\2s")},
      {"setitem on a tensor", p(row(four(), 4) + std::string("K\0K\1s", 5))},
      {"setitems on a storage", p(four() + std::string("(K\0K\1u", 6))},
      {"append to a dict", p("}K\1a")},
      {"append to a tensor", p(row(four(), 4) + "K\1a")},
      {"storage with two sizes", p(tuple({four(), storage(number(1LL << 40))}))},
      {"storage with two types", p(tuple({four(), storage(number(4), "0", "IntStorage")}))},
      {"storage of 2^70", p(storage(big(0, 64)))},
      {"storage of -1", p(storage(number(-1)))},
      {"storage key with a path", p(storage(number(4), "../data.pkl"))},
      {"storage key of 1 MB", p(storage(number(4), std::string(1 << 20, 'k')))},
      {"tensor past its storage", p(row(four(), 5))},
      {"tensor past its storage by stride", p(row(four(), 4, 2))},
      {"tensor past its storage by offset", p(row(four(), 4, 1, 1))},
      {"negative stride", p(row(four(), 4, -1, 3))},
      {"negative offset", p(row(four(), 4, 1, -1))},
      {"negative sizes", p(tensor(four(), number(0), numbers({-2, -2}), numbers({1, 1})))},
      {"offset 2^62", p(row(four(), 4, 1, 1LL << 62))},
      {"offset 2^64", p(tensor(four(), big(0, 1), numbers({4}), numbers({1})))},
      {"strides overflow", p(tensor(four(), number(0), numbers({1LL << 32, 2}), numbers({1LL << 32, 1})))},
      {"sizes overflow", p(tensor(four(), number(0), numbers({1LL << 32, 1LL << 32}), numbers({0, 0})))},
      {"empty but overflowing", p(tensor(four(), number(0), numbers({0, 1LL << 62, 1LL << 62}), numbers({0, 0, 0})))},
      {"expanded to 2^55", p(row(four(), 1LL << 55, 0))},
      {"ranks differ", p(tensor(four(), number(0), numbers({2, 2}), numbers({1})))},
      {"rank 1000", p(tensor(four(), number(0), tuple(std::vector<std::string>(1000, "K\1")),
                             tuple(std::vector<std::string>(1000, "K\1"))))},
      {"backward hooks", p(tensor(four(), number(0), numbers({4}), numbers({1}), "}K\1K\2s"))},
      {"deep lists", p(repeated("]", 100000) + repeated("a", 99999))},
      {"deep tuples", p(")" + repeated("\x85", 1000000))},
      {"marks only", kProto + repeated("(", 3000000)},
      {"list that holds itself", p("]q" + le(0, 1) + get + "a")},
      {"dict that holds itself", p("}q" + le(0, 1) + "K\1" + get + "s")},
      {"attributes that hold their owner", p(ordered_dict() + "q" + le(0, 1) + "}K\1" + get + "sb")},
      {"memo index 2^32 - 1", p("Nr\xff\xff\xff\xff")},
      {"memo index not set", p("j\xff\xff\xff\x7f")},
      {"frame past the end", "\x80\x04\x95" + std::string(8, '\xff') + "N."},
      {"text past the end", p("X\xff\xff\xff\xff"
                              "ab")},
      {"text of 2^64 - 1", "\x80\x04\x8d" + std::string(8, '\xff') + "."},
      {"bytearray of 2^63", "\x80\x05\x96" + le(1ull << 63, 8) + "."},
      {"long4", p("\x8b\xff\xff\xff\x7f")},
      {"bad UTF-8", p("X" + le(2, 4) + "\xc3\x28")},
      {"stack underflow", p("R")},
      {"pop past a mark", p("K\1(a")},
      {"no STOP", kProto + "N"},
      {"values left over", p("NN")},
      {"protocol 9", "\x80\x09N."},
      {"nothing", ""},
      {"repeated encoding", p(text(std::string(60000, 'x')) + "q" + le(0, 1) +
                              repeated(global("_codecs", "encode") + get + text("latin1") + "\x86R\x85", 20000))},
      {"repeated sets", p(list + repeated(global("__builtin__", "set") + get + "\x85R\x85", 5000))},
      {"repeated tuples of sizes",
       p(tuple(std::vector<std::string>(60, "K\1")) + "q" + le(1, 1) +
         repeated(global("torch", "Size") + "h" + le(1, 1) + "\x85R\x85", 5000)),
       false},
      {"key of nested tuples", p("}" + repeated("(", 20) + "N" + repeated("t", 20) + "Ns")},
      {"key that doubles", p("}" + std::string("N") + repeated("q" + le(0, 1) + get + "\x86", 60) + "Ns")},
      {"sparse index out of range",
       p(sparse("torch.sparse_coo",
                {tensor(storage(number(2), "0", "LongStorage"), number(0), numbers({1, 1}), numbers({1, 1})),
                 row(four(), 1), global("torch", "Size") + numbers({3}) + "\x85R", "\x89"}))},
      {"device name", p(global("torch", "device") + text("cpu\n") + "\x85R")},
      {"layout name", p(global("torch.serialization", "_get_layout") + text("torch.jagged") + "\x85R")},
  };
}

// Sparse tensors whose index is one number read 2^42 times, and one index of many tensors.
std::vector<Attack> sparse_bombs() {
  const std::string index = storage(number(1), "1", "LongStorage"),
                    size = global("torch", "Size") + numbers({3}) + "\x85R";
  const auto coo = [&](std::int64_t count, std::int64_t stride, const std::string& store) {
    return sparse("torch.sparse_coo", {tensor(store, number(0), numbers({1, count}), numbers({0, stride})),
                                       row(four(), count, 0), size, "\x89"});
  };
  const std::int64_t many = 100000;
  const std::string large = storage(number(many), "1", "LongStorage");
  const std::string parts = tuple({coo(many, 1, large)});
  const std::string function = global("torch._utils", "_rebuild_sparse_tensor");
  const std::string arguments = tuple(
      {global("torch.serialization", "_get_layout") + text("torch.sparse_coo") + "\x85R",
       tuple({tensor(large, number(0), numbers({1, many}), numbers({0, 1})), row(four(), many, 0), size, "\x89"})});
  const std::string again = "h" + le(0, 1) + "h" + le(1, 1) + "R";
  const std::string repeated_parts =
      kProto + "(" + function + "q" + le(0, 1) + arguments + "q" + le(1, 1) + repeated(again, 50000) + "t.";
  return {
      {"index expanded to 2^42",
       checkpoint(kProto + coo(1LL << 42, 0, index) + ".", {{"0", kZeros}, {"1", std::string(8, '\0')}})},
      {"one index of 50,000 tensors",
       checkpoint(repeated_parts, {{"0", kZeros}, {"1", std::string(static_cast<std::size_t>(many) * 8, '\0')}})},
  };
}

std::string patched(std::string file, std::size_t at, const std::string& bytes) {
  return file.replace(at, bytes.size(), bytes);
}

std::vector<Attack> checkpoints() {
  std::vector<Attack> all;
  for (const Attack& attack : pickles())
    all.push_back({attack.name, checkpoint(attack.file, {{"0", kZeros}}), attack.valid});
  for (Attack& attack : sparse_bombs())
    all.push_back(std::move(attack));
  const std::string pickle = kProto + row(four(), 4) + ".", good = checkpoint(pickle, {{"0", kZeros}});
  const std::size_t end = good.rfind("PK\5\6"), last = good.rfind("PK\1\2"), first = good.find("PK\1\2"),
                    local = good.rfind("PK\3\4");
  const auto add = [&](const char* name, const std::string& file, bool valid = false) {
    all.push_back({name, file, valid});
  };
  add("valid archive", good, true);
  add("storage missing", checkpoint(pickle));
  add("storage too large", checkpoint(pickle, {{"0", kZeros + kZeros}}));
  add("storage too small", checkpoint(pickle, {{"0", "\1"}}));
  add("bytes after STOP", checkpoint(pickle + pickle, {{"0", kZeros}}));
  add("TorchScript", archive({{"a/data.pkl", kProto + "N."}, {"a/constants.pkl", ""}}));
  add("two roots", archive({{"a/data.pkl", kProto + "N."}, {"b/data.pkl", kProto + "N."}}));
  add("no pickle", archive({{"a/data", kProto + "N."}}));
  add("deflated", archive({{"a/data.pkl", kProto + "N.", true}}));
  add("big-endian", archive({{"a/data.pkl", kProto + "N."}, {"a/byteorder", "big"}}));
  add("duplicate entry", archive({{"a/data.pkl", kProto + "N."}, {"a/x", ""}, {"a/x", ""}}));
  add("archive inside", archive({{"a/data.pkl", kProto + "N."}, {"q", good}}), true);
  add("size 2^32 - 16", patched(good, last + 20, repeated("\xf0\xff\xff\xff", 2)));
  add("two sizes", patched(good, last + 24, le(0xFFFFFF, 4)));
  add("zip64 field missing", patched(good, last + 20, std::string(8, '\xff')));
  add("two entries with one header", patched(good, last + 42, good.substr(first + 42, 4)));
  add("header past the end", patched(good, last + 42, "\xf0\xff\xff\xff"));
  add("65,534 entries", patched(good, end + 8, "\xfe\xff\xfe\xff"));
  add("directory at 0", patched(good, end + 16, le(0, 4)));
  add("wrong checksum", patched(good, good.find(kZeros) + 3, "\1"));
  add("comment past the end", patched(good, end + 20, le(5, 2)));
  add("bytes after the archive", good + "junk");
  add("bytes before the archive", "junk" + good);
  add("truncated", good.substr(0, good.size() - 30));
  add("encrypted", patched(good, last + 8, "\1"));
  add("end record only", "PK\3\4" + good.substr(end));
  add("tiny", "PK\3\4");
  add("names differ", patched(good, local + 30, "b"));
  for (std::size_t size = 0; size < good.size(); size += 7)
    add("cut", good.substr(0, size));
  // A whole local record inside the data of another entry, and the directory lists both.
  const std::string outer = archive({{"a/data.pkl", kProto + "N."}, {"q", archive({{"z", kZeros}})}});
  const std::size_t inner = outer.find("PK\3\4", outer.find("q"
                                                            "PK\3\4")),
                    outer_end = outer.rfind("PK\5\6");
  const std::string entry = outer.substr(outer.find("PK\1\2", inner), 47);
  const std::string directory = outer.substr(outer.rfind("PK\1\2") - 56, outer_end - outer.rfind("PK\1\2") + 56);
  std::string overlapping = outer.substr(0, outer_end) + patched(entry, 42, le(inner, 4)) + outer.substr(outer_end);
  const std::size_t record = overlapping.rfind("PK\5\6");
  overlapping = patched(overlapping, record + 8, le(3, 2) + le(3, 2) + le(directory.size() + 47, 4));
  add("entry inside another", overlapping);
  return all;
}

std::vector<Attack> streams() {
  std::vector<Attack> all;
  const Member zeros{"0", le(4, 8) + kZeros};
  for (const Attack& attack : pickles())
    if (attack.file != kProto + "N.") all.push_back({attack.name, legacy(attack.file, {zeros}), attack.valid});
  const std::string pickle = kProto + row(four(), 4) + ".", large = storage(number(1LL << 61));
  const std::string good = legacy(pickle, {zeros});
  all.push_back({"storage of 2^61", legacy(kProto + row(large, 1LL << 61) + ".", {{"0", le(1ull << 61, 8) + kZeros}})});
  all.push_back({"storage sizes differ", legacy(kProto + row(storage(number(8)), 8) + ".", {zeros})});
  all.push_back({"storage key twice", legacy(kProto + tuple({four(), storage(number(4), "1")}) + ".", {zeros, zeros})});
  all.push_back({"bytes left over", good + "x"});
  all.push_back({"magic calls os.system", kProto + global("os", "system") + tuple({text("id")}) + "R."});
  for (std::size_t size = 0; size < good.size(); size += 5)
    all.push_back({"cut", good.substr(0, size)});
  return all;
}

std::vector<Attack> safetensors_files() {
  const auto one = [](const std::string& shape, const std::string& offsets, const std::string& dtype = "F32") {
    return "{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
  };
  const auto file = [](const std::string& header, const std::string& data = kZeros) {
    return safetensors(header, data);
  };
  const auto a = [&](const std::string& shape, const std::string& offsets, const std::string& dtype = "F32") {
    return file("{\"a\":" + one(shape, offsets, dtype) + "}");
  };
  const std::string good = a("[4]", "[0,16]");
  std::vector<Attack> all{
      {"valid", good, true},
      {"length 2^63", patched(good, 0, le(1ull << 63, 8))},
      {"length 99,999,999", patched(good, 0, le(99999999, 8))},
      {"shape overflows", a("[4294967296,4294967296]", "[0,16]")},
      {"shape overflows to 4 bytes", file("{\"a\":" + one("[4611686018427387905]", "[0,4]") + "}", "1234")},
      {"empty but overflowing", file("{\"a\":" + one("[0,9223372036854775808]", "[0,0]") + "}", "")},
      {"hole", file("{\"a\":" + one("[1]", "[0,4]") + ",\"b\":" + one("[2]", "[8,16]") + "}")},
      {"overlap", file("{\"a\":" + one("[4]", "[0,16]") + ",\"b\":" + one("[4]", "[0,16]") + "}")},
      {"past the end", a("[8]", "[0,32]")},
      {"bytes left over", a("[1]", "[0,4]")},
      {"offsets reversed", a("[4]", "[16,0]")},
      {"negative size", a("[-4]", "[0,16]")},
      {"size 4.0", a("[4.0]", "[0,16]")},
      {"size 2^64 + 4", a("[18446744073709551620]", "[0,16]")},
      {"name twice", file("{\"a\":" + one("[4]", "[0,16]") + ",\"a\":" + one("[4]", "[0,16]") + "}")},
      {"dtype twice", file(R"({"a":{"dtype":"F32","dtype":"I32","shape":[4],"data_offsets":[0,16]}})")},
      {"metadata twice", file(R"({"__metadata__":{"a":"1","a":"2"}})", "")},
      {"metadata number", file(R"({"__metadata__":{"a":1}})", "")},
      {"unknown dtype", a("[4]", "[0,16]", "F33")},
      {"array", file("[1]", "")},
      {"deep arrays", file("{\"a\":" + repeated("[", 1000000), "")},
      {"space first", file(" {}", "")},
      {"bad UTF-8", file("{\"\xff\":" + one("[4]", "[0,16]") + "}")},
      {"text after", file("{}x", "")},
      {"three offsets", a("[4]", "[0,16,16]")},
      {"100,000 dimensions", a("[1" + repeated(",1", 99999) + "]", "[0,4]")},
      {"key missing", file(R"({"a":{"dtype":"F32","shape":[4]}})")},
  };
  for (std::size_t size = 0; size < good.size(); size += 3)
    all.push_back({"cut", good.substr(0, size)});
  return all;
}

std::vector<Attack> npy_files() {
  const auto file = [](const std::string& descr, const std::string& order, const std::string& shape,
                       const std::string& data = kZeros) {
    return npy("{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }", data);
  };
  const std::string good = file("'<f4'", "False", "(4,)");
  std::vector<Attack> all{
      {"valid", good, true},
      {"Python objects", file("'|O'", "False", "(2,)")},
      {"text", file("'<U4'", "False", "(1,)")},
      {"records", file("[('a', '<f4')]", "False", "(4,)")},
      {"void", file("'|V4'", "False", "(4,)")},
      {"huge element", file("'|V9999999999999999999'", "False", "(1,)")},
      {"native order", file("'f4'", "False", "(4,)")},
      {"size 2^62", file("'<f4'", "False", "(4611686018427387904,)")},
      {"size 2^64", file("'<f4'", "False", "(18446744073709551616,)")},
      {"overflow", file("'<f4'", "False", "(4294967296, 4294967296, 4)")},
      {"empty but overflowing", file("'<f4'", "False", "(0, 4611686018427387904, 4)", "")},
      {"negative size", file("'<f4'", "False", "(-4,)")},
      {"size 4.0", file("'<f4'", "False", "(4.0,)")},
      {"expression", file("'<f4'", "False", "(2*2,)")},
      {"65 dimensions", file("'<f4'", "False", "(" + repeated("1,", 65) + ")", "1234")},
      {"order 0", file("'<f4'", "0", "(4,)")},
      {"key missing", npy("{'descr': '<f4', 'shape': (4,)}", kZeros)},
      {"key twice", npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (4,)}", kZeros)},
      {"text after", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4,)} x", kZeros)},
      {"unterminated", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4,", kZeros)},
      {"call", npy("__import__('os').system('id')", kZeros)},
      {"deep tuples", npy("{'shape': " + repeated("(", 60000), "")},
      {"bytes left over", good + "x"},
      {"version 0", patched(good, 6, le(0, 1))},
      {"version 1.1", patched(good, 7, le(1, 1))},
      {"header of 4 GB", std::string("\x93NUMPY\2\0", 8) + "\xff\xff\xff\xff{}"},
  };
  for (std::size_t size = 0; size < good.size(); size += 3)
    all.push_back({"cut", good.substr(0, size)});
  return all;
}

std::vector<Attack> npz_files() {
  std::vector<Attack> all;
  for (const Attack& attack : npy_files())
    for (const bool deflated : {false, true})
      all.push_back({attack.name, archive({{"a.npy", attack.file, deflated}}), attack.valid});
  const std::string zeros =
      npy("{'descr': '|u1', 'fortran_order': False, 'shape': (4000000,)}", std::string(4000000, '\0'));
  const std::string bomb = archive({{"a.npy", zeros, true}});
  const std::size_t central = bomb.rfind("PK\1\2");
  const auto sized = [&](std::uint64_t size) {
    return patched(patched(bomb, 22, le(size, 4)), central + 24, le(size, 4));
  };
  all.push_back({"valid zeros", bomb, true});
  all.push_back({"more than deflate can hold", sized(0xFFFFFFF0)});
  all.push_back({"stream longer than declared", sized(1000)});
  all.push_back({"stream shorter than declared", sized(4100000)});
  all.push_back({"damaged stream", patched(bomb, 60, "\xff\xff\xff\xff")});
  all.push_back({"no array", archive({{"a.txt", "x"}})});
  all.push_back({"array twice", archive({{"a.npy", zeros, true}, {"a.npy", zeros, true}})});
  return all;
}

}  // namespace

std::vector<Attack> attacks(Format format) {
  switch (format) {
    case Format::kCheckpoint:
      return checkpoints();
    case Format::kLegacy:
      return streams();
    case Format::kPickle:
      return pickles();
    case Format::kSafetensors:
      return safetensors_files();
    case Format::kNpy:
      return npy_files();
    case Format::kNpz:
      return npz_files();
  }
  __builtin_unreachable();
}

}  // namespace rushlight::fuzz
