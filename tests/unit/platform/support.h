// What the platform tests share: aligned memory, folders that clean up, children that are expected
// to die.
#pragma once

#include <dirent.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <span>
#include <string>

#include "platform/device_base.h"
#include "xmc/check.h"
#include "xmc/device.h"
#include "xmc/types.h"

namespace xmc::test {

struct FreeDeleter {
  void operator()(u8* at) const { ::free(at); }
};

// Memory that starts on a block.
class Aligned {
 public:
  explicit Aligned(u64 bytes)
      : bytes_(static_cast<std::size_t>(bytes)),
        memory_(static_cast<u8*>(::aligned_alloc(kBlockBytes, rounded(bytes_)))) {
    for (std::size_t i = 0; i < bytes_; ++i) memory_.get()[i] = 0;
  }
  std::span<u8> span() { return {memory_.get(), bytes_}; }
  std::span<u8> blocks(u64 first, u64 count) {
    return span().subspan(static_cast<std::size_t>(first * kBlockBytes),
                          static_cast<std::size_t>(count * kBlockBytes));
  }

 private:
  static std::size_t rounded(std::size_t bytes) {
    return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
  }

  std::size_t bytes_;
  std::unique_ptr<u8, FreeDeleter> memory_;
};

// Contents that tell where they belong: no two words of a file with one tag are equal.
inline void fill_pattern(std::span<u8> out, u64 file_offset, u64 tag) {
  for (std::size_t i = 0; i < out.size(); i += 8) {
    u64 word = (file_offset + i) * 0x9E37'79B9'7F4A'7C15u + tag;
    for (std::size_t k = 0; k < 8; ++k) out[i + k] = static_cast<u8>(word >> (8 * k));
  }
}

inline bool has_pattern(std::span<const u8> in, u64 file_offset, u64 tag) {
  Aligned expected(in.size());
  fill_pattern(expected.span(), file_offset, tag);
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i] != expected.span()[i]) return false;
  }
  return true;
}

inline bool all_are(std::span<const u8> in, u8 value) {
  for (const u8 byte : in) {
    if (byte != value) return false;
  }
  return true;
}

class TempFolder {
 public:
  explicit TempFolder(const char* parent = nullptr) {
    const char* base = parent != nullptr ? parent : ::getenv("TMPDIR");
    path_ = std::string(base != nullptr ? base : "/tmp") + "/xmc-platform-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() {
    if (path_.empty()) return;
    if (DIR* dir = ::opendir(path_.c_str()); dir != nullptr) {
      while (const struct dirent* entry = ::readdir(dir)) {
        const std::string name = entry->d_name;
        if (name != "." && name != "..") ::unlink((path_ + "/" + name).c_str());
      }
      ::closedir(dir);
    }
    ::rmdir(path_.c_str());
  }
  bool ok() const { return !path_.empty(); }
  const char* c_str() const { return path_.c_str(); }
  std::string file(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// The exit status of a child that runs `body`; 70 when a check of ours failed in it.
template <class Body>
int status_of_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    set_failure_hook([](const char*, const char*, int) { ::_exit(70); });
    body();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace xmc::test
