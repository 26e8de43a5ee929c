// Reading whole files, by mapping or by copy, and writing them atomically.
#include "io/bytes.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
namespace rushlight::io {
static std::string err() { return std::strerror(errno); }
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

Sink::Sink(const std::string& path) : path_(path), tmp_(path + ".tmp." + std::to_string(::getpid())) {
  fd_ = ::open(tmp_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd_ < 0) throw FileError(path_, errno);
}
Sink::~Sink() {
  if (fd_ >= 0) {
    ::close(fd_);
    ::unlink(tmp_.c_str());
  }
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
  if (::close(fd_)) {
    fd_ = -1;
    ::unlink(tmp_.c_str());
    throw FileError(path_, errno);
  }
  fd_ = -1;
  if (::rename(tmp_.c_str(), path_.c_str())) throw FileError(path_, errno);
}
}  // namespace rushlight::io
