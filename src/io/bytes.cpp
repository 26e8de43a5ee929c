// Reading whole files, by mapping or by copy, and writing them atomically.
#include "io/bytes.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <utility>
namespace rushlight::io {
static std::string err() { return std::strerror(errno); }

// Length of the UTF-8 character at the start of `s`, 0 when there is none.
static size_t utf8_length(std::string_view s) {
  const auto byte = [&](size_t i) { return i < s.size() ? uint8_t(s[i]) : uint8_t(0); };
  const uint8_t c = byte(0);
  const size_t n = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
  for (size_t k = 1; k < n; k++)
    if ((byte(k) & 0xC0) != 0x80) return 0;
  const bool surrogate = c == 0xED && byte(1) > 0x9F;
  if ((c == 0xE0 && byte(1) < 0xA0) || surrogate || (c == 0xF0 && byte(1) < 0x90) || (c == 0xF4 && byte(1) > 0x8F))
    return 0;
  return n;
}
static std::string printable(std::string_view s) {
  constexpr size_t kMost = 400;  // names may be as long as the file
  std::string out;
  for (size_t i = 0; i < s.size();) {
    if (out.size() > kMost) return out + "...";
    const size_t n = utf8_length(s.substr(i));
    if (n > 1 || (n == 1 && uint8_t(s[i]) >= 0x20 && s[i] != 0x7F)) {
      out += s.substr(i, n);
      i += n;
    } else {
      constexpr const char* hex = "0123456789abcdef";
      out += "\\x";
      out += hex[uint8_t(s[i]) >> 4];
      out += hex[uint8_t(s[i]) & 15];
      i++;
    }
  }
  return out;
}
void fail(std::string_view where, uint64_t off, const std::string& what) {
  throw Error(printable(where) + " @" + std::to_string(off) + ": " + printable(what));
}
File::File(const std::string& path, Mode m) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw FileError(path, errno);
  struct Close {
    int f;
    ~Close() { ::close(f); }
  } closer{fd};
  struct stat st;
  if (::fstat(fd, &st) || !S_ISREG(st.st_mode)) fail(path, 0, "not a regular file");
  n_ = size_t(st.st_size);
  if (!n_) fail(path, 0, "empty file");
  if (m == Mode::Map) {
    void* p = ::mmap(nullptr, n_, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED) fail(path, 0, "mmap: " + err());
    p_ = static_cast<const uint8_t*>(p);
    mapped_ = true;
    return;
  }
  // Huge pages: first-touch faults otherwise cost more than the copy itself.
  const size_t huge = size_t(2) << 20;
  own_.reset(static_cast<uint8_t*>(std::aligned_alloc(
      n_ < huge ? 64 : huge, (n_ + (n_ < huge ? 64 : huge) - 1) & ~((n_ < huge ? size_t(64) : huge) - 1))));
  if (!own_) fail(path, 0, "out of memory");
  if (n_ >= huge) ::madvise(own_.get(), n_, MADV_HUGEPAGE);
  for (size_t got = 0; got < n_;) {
    ssize_t r = ::read(fd, own_.get() + got, n_ - got);
    if (r < 0 && errno == EINTR) continue;
    if (r <= 0) fail(path, got, r ? err() : "file shrank while reading");
    got += size_t(r);
  }
  p_ = own_.get();
}
File::~File() {
  if (mapped_) ::munmap(const_cast<uint8_t*>(p_), n_);
}

Sink::Sink(const std::string& path) : path_(path), target_(path) {
  if (char* real = ::realpath(path.c_str(), nullptr)) {
    target_ = real;
    std::free(real);
  }
  struct stat st;
  const bool exists = ::stat(target_.c_str(), &st) == 0;
  if (exists && !S_ISREG(st.st_mode)) {
    fd_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) throw FileError(path_, errno);
    return;
  }
  open_temporary(0666);
  if (exists) (void)!::fchmod(fd_, st.st_mode & 07777);  // only a courtesy: another owner's file stays readable to us
}
// Names are tried in turn, since a killed process may have left its file behind.
void Sink::open_temporary(unsigned mode) {
  static std::atomic<unsigned> next{0};
  const std::string folder = target_.substr(0, target_.find_last_of('/') + 1);
  for (int tries = 0; fd_ < 0 && tries < 10000; tries++) {
    tmp_ = folder + ".rushlight-" + std::to_string(::getpid()) + "-" + std::to_string(next++);
    fd_ = ::open(tmp_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd_ < 0 && errno != EEXIST) break;
  }
  if (fd_ < 0) throw FileError(path_, errno);
}
Sink::~Sink() {
  if (fd_ >= 0) ::close(fd_);
  if (!tmp_.empty()) ::unlink(tmp_.c_str());
}
void Sink::raw(const char* p, size_t n) {
  while (n) {
    ssize_t r = ::write(fd_, p, n);
    if (r < 0 && errno == EINTR) continue;
    if (r <= 0) throw FileError(path_, r ? errno : EIO);
    p += r;
    n -= size_t(r);
  }
}
void Sink::flush() {
  raw(buf_.data(), buf_.size());
  buf_.clear();
}
void Sink::put(const void* p, size_t n) {
  if (!n) return;
  if (mem_) {
    mem_->append(static_cast<const char*>(p), n);
    pos_ += n;
    return;
  }
  if (n >= 1 << 16) {
    flush();
    raw(static_cast<const char*>(p), n);
  } else {
    buf_.append(static_cast<const char*>(p), n);
    if (buf_.size() >= 1 << 16) flush();
  }
  pos_ += n;
}
void Sink::commit() {
  if (mem_) return;
  flush();
  // Pipes and devices know no fsync; for a file it decides whether the rename may replace the old contents.
  if (!tmp_.empty() && ::fsync(fd_)) throw FileError(path_, errno);
  if (::close(std::exchange(fd_, -1))) throw FileError(path_, errno);
  if (tmp_.empty()) return;
  if (::rename(tmp_.c_str(), target_.c_str())) throw FileError(path_, errno);
  tmp_.clear();
}
}  // namespace rushlight::io
