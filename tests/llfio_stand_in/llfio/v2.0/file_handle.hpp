// What platform/device_llfio.cc calls of LLFIO, on plain system calls: with it a build without LLFIO
// compiles that file, with all warnings, and runs the conformance suite on it. It has LLFIO's rules
// where a caller can break them: a handle that could not be closed and goes away ends the process,
// and a barrier for data alone makes nothing durable.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <system_error>
#include <utility>

namespace llfio_stand_in {

using byte = std::byte;

struct error_info {
  int code = 0;
};
inline std::error_code make_error_code(error_info error) {
  return {error.code, std::system_category()};
}

template <class T>
class result {
 public:
  result(T&& value) : value_(std::move(value)) {}
  result(error_info error) : error_(error) {}
  explicit operator bool() const { return error_.code == 0; }
  T& value() & { return value_; }
  T&& value() && { return std::move(value_); }
  const T& value() const& { return value_; }
  error_info error() const { return error_; }
  std::uint64_t bytes_transferred() const { return value_; }

 private:
  T value_{};
  error_info error_;
};

template <class T>
result<T> result_of(T returned) {
  if (returned < 0) return error_info{errno};
  return std::move(returned);
}

struct native_handle_type {
  int fd = -1;
};

struct path_handle {};

// What close() answers next, if not 0; and how often data was made durable.
inline int g_close_error = 0;
inline unsigned g_durable_barriers = 0;

class file_handle {
 public:
  enum class mode { write };
  enum class creation { if_needed, open_existing };
  enum class caching { only_metadata, all };
  enum class barrier_kind { wait_data_only, wait_all };
  template <class Byte>
  struct buffer {
    buffer(Byte* at, std::size_t bytes) : data(at), size(bytes) {}
    Byte* data;
    std::size_t size;
  };
  using buffer_type = buffer<byte>;
  using const_buffer_type = buffer<const byte>;
  template <class Buffer>
  struct io_request {
    std::span<Buffer> buffers;
    std::uint64_t offset = 0;
  };

  constexpr file_handle() = default;
  file_handle(file_handle&& other) noexcept : native_(other.release()) {}
  file_handle& operator=(file_handle&& other) noexcept {
    end();
    native_ = other.release();
    return *this;
  }
  ~file_handle() { end(); }

  static result<file_handle> file(const path_handle&, const char* path, mode, creation how,
                                  caching kept) {
    const int flags = O_RDWR | O_CLOEXEC | (how == creation::if_needed ? O_CREAT : 0) |
                      (kept == caching::only_metadata ? O_DIRECT : 0);
    file_handle opened;
    opened.native_.fd = ::open(path, flags, 0660);
    if (opened.native_.fd < 0) return error_info{errno};
    return opened;
  }

  bool is_valid() const { return native_.fd >= 0; }
  native_handle_type native_handle() const { return native_; }
  native_handle_type release() { return std::exchange(native_, native_handle_type()); }
  result<int> close() {
    const int error = ::close(native_.fd) != 0 ? errno : std::exchange(g_close_error, 0);
    if (error != 0) return error_info{error};
    native_ = {};
    return 0;
  }
  result<std::int64_t> maximum_extent() const {
    struct stat info = {};
    const int failed = ::fstat(native_.fd, &info);
    return result_of(failed != 0 ? std::int64_t{-1} : std::int64_t{info.st_size});
  }
  result<int> truncate(std::uint64_t bytes) {
    return result_of(::ftruncate(native_.fd, static_cast<off_t>(bytes)));
  }
  result<int> barrier(io_request<const_buffer_type>, barrier_kind kind) {
    if (kind != barrier_kind::wait_all) return 0;
    ++g_durable_barriers;
    return result_of(::fsync(native_.fd));
  }
  result<ssize_t> read(io_request<buffer_type> request) {
    const buffer_type& into = request.buffers[0];
    const off_t offset = static_cast<off_t>(request.offset);
    return result_of(::pread(native_.fd, into.data, into.size, offset));
  }
  result<ssize_t> write(io_request<const_buffer_type> request) {
    const const_buffer_type& from = request.buffers[0];
    const off_t offset = static_cast<off_t>(request.offset);
    return result_of(::pwrite(native_.fd, from.data, from.size, offset));
  }

 private:
  void end() {
    if (is_valid() && !close()) std::abort();
  }

  native_handle_type native_;
};

}  // namespace llfio_stand_in
