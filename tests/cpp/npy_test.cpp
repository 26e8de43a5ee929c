// npy and npz: round trips, column-major arrays, both byte orders, deflated archives, refusals.
#include <gtest/gtest.h>

#include <cstdio>

#include "io/tensor_document.h"
#include "rushlight/rushlight.h"

namespace rushlight {
namespace {

struct File {
  explicit File(const std::string& name) : path(::testing::TempDir() + name) {}
  ~File() { std::remove(path.c_str()); }
  const std::string path;
};

io::Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}
std::string npy(const std::string& header, const std::string& data) {
  std::string file("\x93NUMPY\1\0", 8);
  file += {static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  return file + header + data;
}

TEST(npy, tensors_of_every_dtype) {
  const File file("rushlight.npy");
  for (const Dtype dtype : kAllDtypes) {
    if (!has_numbers(dtype)) continue;
    for (const Tensor& x : {arange(6, kInt64).reshape({2, 3}).to(dtype),
                            arange(6, kInt64).reshape({2, 3}).to(dtype).t(), empty({0, 3}, dtype), ones({}, dtype)}) {
      if (dtype == Dtype::kBFloat16 || is_stored_only(dtype)) {
        EXPECT_THROW(save_npy(x, file.path), RuntimeError);
        continue;
      }
      save_npy(x, file.path);
      const Tensor back = load_npy(file.path);
      EXPECT_EQ(back.dtype(), dtype);
      EXPECT_EQ(back.sizes(), x.sizes());
      EXPECT_TRUE(x.numel() == 0 || back.strides() == x.strides());
      EXPECT_TRUE(equal(back, x)) << x << back;
    }
  }
}

TEST(npy, archives_by_name) {
  const File file("rushlight.npz");
  OrderedDict<Tensor> tensors;
  tensors.insert("weights", randn({3, 4}));
  tensors.insert("count", tensor(7, kInt64));
  tensors.insert("", tensor(8, kInt64));  // the entry ".npy"
  save_npz(tensors, file.path);
  const auto read = load_npz(file.path);
  EXPECT_EQ(read.size(), 3u);
  EXPECT_EQ(read[""].item<std::int64_t>(), 8);
  EXPECT_TRUE(equal(read["weights"], tensors["weights"]));
  EXPECT_EQ(read["count"].item<std::int64_t>(), 7);
}

TEST(npy, big_endian_is_turned) {
  const std::string file =
      npy("{'descr': '>c8', 'fortran_order': False, 'shape': (1,), }", std::string("\x3f\x80\0\0\x40\0\0\0", 8));
  const Tensor x = io::tensor_of(io::load_npy(bytes_of(file)));
  EXPECT_TRUE(equal(view_as_real(x), tensor({1.0, 2.0}, kFloat).reshape({1, 2}))) << x;
}

TEST(npy, refusals_name_the_offset) {
  const auto message = [](const std::string& file) -> std::string {
    try {
      io::load_npy(bytes_of(file), "entry");
    } catch (const io::Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(
      message(npy("{'descr': '|O', 'fortran_order': False, 'shape': (), }", "")).find("Python objects are refused"),
      std::string::npos);
  EXPECT_EQ(message("PK\3\4..").substr(0, 10), "entry @0: ");
  EXPECT_EQ(message(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", "abc")),
            "entry @67: needs 24 bytes, past the end");
}

}  // namespace
}  // namespace rushlight
