// The fuzzer: reads attacks and mutations of one format and checks what must hold for every input (README.md).
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>

#include "build.h"
#include "formats.h"
#include "io/checkpoint.h"
#include "io/npy.h"
#include "io/pickle.h"
#include "io/safetensors.h"
#include "memory.h"

namespace rushlight::fuzz {
namespace {

// Bounds: a value takes about 150 bytes for an opcode of one, and repeated work is paid from a budget of 1 MB and 64
// bytes for each byte of input. deflate holds up to 1032 bytes in one.
constexpr std::size_t kMemoryFloor = 8 << 20, kMemoryPerByte = 2048;
constexpr double kSecondsFloor = 0.5, kSecondsPerByte = 50e-6;

double now() {  // of this thread: other programs do not count
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

[[noreturn]] void broken(const std::string& rule, const std::string& input) {
  std::fprintf(stderr, "broken: %s\ninput of %zu bytes:", rule.c_str(), input.size());
  for (std::size_t i = 0; i < std::min<std::size_t>(input.size(), 200); ++i)
    std::fprintf(stderr, " %02x", static_cast<unsigned char>(input[i]));
  std::fprintf(stderr, "\n");
  std::abort();
}

volatile std::uint64_t touched;

void touch(io::Bytes bytes) {
  if (!bytes.empty()) touched = touched + bytes.front() + bytes.back() + bytes[bytes.size() / 2];
}
// Reads elements as a consumer would, some of them at random.
void touch(const io::Document& document, Random& random) {
  for (const io::TensorInfo& tensor : document.tensors) {
    const std::uint8_t* data = document.data(tensor);
    if (!data) continue;
    const std::size_t item = io::info(tensor.dtype).size;
    touched = touched + data[0] + data[tensor.extent * item - 1];
    for (int i = 0; i < 8; ++i) {
      std::uint64_t at = 0;
      for (std::size_t k = 0; k < tensor.sizes.size(); ++k)
        at += random.below(static_cast<std::size_t>(tensor.sizes[k])) * static_cast<std::uint64_t>(tensor.strides[k]);
      touched = touched + data[at * item] + data[at * item + item - 1];
    }
  }
}

io::Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

template <class Write>
std::string written(Write write) {
  std::string out;
  io::Sink sink(&out);
  write(sink);
  return out;
}

// Reads a value, touches it and returns what writing it gives.
std::string rewritten(Format format, io::Bytes file, Random& random) {
  switch (format) {
    case Format::kCheckpoint:
    case Format::kLegacy: {
      const io::Document document = io::load_pt(file);
      touch(document, random);
      return written([&](io::Sink& sink) { io::save_pt(document, sink); });
    }
    case Format::kPickle: {
      io::Document document;
      io::Cursor cursor(file, "pickle");
      document.root = io::unpickle(document, cursor, "pickle", {}, true);
      static const std::vector<std::uint8_t> zeros(4096);
      for (io::StorageInfo& storage : document.storages) {  // as far as this memory goes
        const std::uint64_t item = storage.dtype == io::FileDtype::None ? 1 : io::info(storage.dtype).size;
        storage.bound = storage.numel <= zeros.size() / item;
        if (storage.bound) storage.bytes = {zeros.data(), storage.numel * item};
      }
      io::validate(document, {}, "pickle");
      touch(document, random);
      return io::pickle(document).bytes;
    }
    case Format::kSafetensors: {
      const io::StFile tensors = io::load_safetensors(file);
      for (const io::StTensor& tensor : tensors.tensors)
        touch(tensor.bytes);
      return written([&](io::Sink& sink) { io::save_safetensors(tensors, sink); });
    }
    case Format::kNpy: {
      const io::NpyArray array = io::load_npy(file);
      touch(array.bytes);
      return written([&](io::Sink& sink) { io::save_npy(array, sink); });
    }
    case Format::kNpz: {
      const io::NpzArrays arrays = io::load_npz(file);
      for (const auto& [name, array] : arrays)
        touch(array.bytes);
      return written([&](io::Sink& sink) { io::save_npz(arrays, sink); });
    }
  }
  __builtin_unreachable();
}

// The reason in `entry @offset: reason`.
std::string reason_of(const std::string& message, const std::string& input) {
  for (const char letter : message)
    if (static_cast<unsigned char>(letter) < ' ') broken("a message has no control characters: " + message, input);
  for (std::size_t at = message.find(" @"); at != std::string::npos; at = message.find(" @", at + 1)) {
    const std::size_t end = message.find_first_not_of("0123456789", at + 2);
    if (at && end != std::string::npos && end > at + 2 && message.compare(end, 2, ": ") == 0)
      return message.substr(end + 2);
  }
  broken("a refusal names entry and offset: " + message, input);
}

struct Outcome {
  bool accepted = false;
  std::string reason;
  std::size_t memory = 0;
  double seconds = 0;
};

Outcome read(Format format, const std::string& input, Random& random) {
  // A copy of exact size: the sanitizer sees any read past its end.
  const std::unique_ptr<std::uint8_t[]> exact(new std::uint8_t[input.size()]);
  std::memcpy(exact.get(), input.data(), input.size());
  Outcome outcome;
  const PeakMemory memory;
  const double start = now();
  std::string again;
  try {
    again = rewritten(format, {exact.get(), input.size()}, random);
    outcome.accepted = true;
  } catch (const io::Error& error) {
    outcome.reason = reason_of(error.what(), input);
  } catch (const std::exception& error) {
    broken(std::string("only io::Error is thrown: ") + error.what(), input);
  }
  outcome.seconds = now() - start;
  outcome.memory = memory.bytes();
  if (outcome.memory > kMemoryFloor + kMemoryPerByte * input.size())
    broken("memory is bounded by the input: " + std::to_string(outcome.memory) + " bytes", input);
  if (outcome.seconds > kSecondsFloor + kSecondsPerByte * static_cast<double>(input.size()))
    broken("time is bounded by the input: " + std::to_string(outcome.seconds) + " s", input);
  if (outcome.accepted) try {
      if (rewritten(format, bytes_of(again), random) != again)
        broken("writing what was read gives the same bytes", input);
    } catch (const io::Error& error) {
      broken(std::string("what was written can be read: ") + error.what(), input);
    }
  return outcome;
}

// Keeps the current input in a file, without a system call for each.
class Culprit {
 public:
  explicit Culprit(const char* path) {
    if (!path) return;
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || ftruncate(file, kRoom)) std::perror(path), std::exit(2);
    room_ = static_cast<char*>(mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    close(file);
  }
  void keep(const std::string& input) {  // 8 bytes of length, then as much as there is room for
    if (!room_) return;
    const std::uint64_t size = input.size();
    std::memcpy(room_, &size, 8);
    std::memcpy(room_ + 8, input.data(), std::min<std::size_t>(size, kRoom - 8));
  }

 private:
  static constexpr std::size_t kRoom = 1 << 20;
  char* room_ = nullptr;
};

int run(Format format, std::size_t count, std::uint64_t seed, const char* culprit_path) {
  Random random(seed);
  Culprit culprit(culprit_path);
  const std::vector<std::string> files = corpus(format);
  for (const std::string& file : files)
    if (const Outcome outcome = read(format, file, random); !outcome.accepted)
      broken("a file of the corpus is valid: " + outcome.reason, file);
  for (const Attack& attack : attacks(format)) {
    culprit.keep(attack.file);
    const Outcome outcome = read(format, attack.file, random);
    if (outcome.accepted != attack.valid)
      broken("attack '" + attack.name + (attack.valid ? "' is valid: " + outcome.reason : "' must be refused"),
             attack.file);
  }
  const Mutator mutator(format, files);
  std::size_t accepted = 0, memory = 0;
  double seconds = 0;
  std::map<std::string, std::size_t> reasons;
  for (std::size_t i = 0; i < count; ++i) {
    std::string input = mutator.mutated(random.of(files), random);
    if (random.one_in(4))
      input = mutator.mutated(files[0].size() > 20 && random.one_in(2) ? files[0] : random.of(files), random);
    culprit.keep(input);
    const Outcome outcome = read(format, input, random);
    accepted += outcome.accepted;
    memory = std::max(memory, outcome.memory);
    seconds = std::max(seconds, outcome.seconds);
    if (!outcome.accepted && reasons.size() < 10000) ++reasons[outcome.reason.substr(0, 24)];
  }
  std::printf("%s: %zu inputs, %.1f %% accepted, %zu reasons of refusal; at most %.1f ms and %.1f MB\n",
              kFormatNames[static_cast<int>(format)], count,
              100.0 * static_cast<double>(accepted) / static_cast<double>(std::max<std::size_t>(count, 1)),
              reasons.size(), 1e3 * seconds, static_cast<double>(memory) / (1 << 20));
  if (count >= 1000 && (accepted * 1000 < count || accepted > count * 9 / 10))
    broken("the mutations reach both sides", "");
  return 0;
}

}  // namespace
}  // namespace rushlight::fuzz

int main(int count, char** arguments) {
  using namespace rushlight::fuzz;
  if (count >= 4)
    for (int i = 0; i < 6; ++i)
      if (std::strcmp(arguments[1], kFormatNames[i]) == 0)
        return run(static_cast<Format>(i), std::strtoull(arguments[2], nullptr, 10),
                   std::strtoull(arguments[3], nullptr, 10), count > 4 ? arguments[4] : nullptr);
  std::fprintf(stderr, "usage: rushlight_fuzz pt|legacy|pickle|safetensors|npy|npz COUNT SEED [CULPRIT]\n");
  return 2;
}
