#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "platform/file_calls.h"
#include "platform/files.h"
#include "platform/terminal.h"
#include "xmc/bytes.h"
#include "xmc/text.h"

namespace xmc {

OutputFile::~OutputFile() {
  if (is_open()) static_cast<void>(close());
}

Status OutputFile::open(const char* path) {
  XMC_CHECK(!is_open());
  path_ = path;
  error_ = 0;
  filled_ = 0;
  bytes_written_ = 0;
  owned_ = std::string_view(path) != "-";
  fd_ = owned_ ? ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : kStandardOutput;
  if (fd_ < 0) return Status::fail_os(Code::io, errno, "cannot write %s", path);
  return {};
}

void OutputFile::write(std::string_view text) {
  XMC_CHECK(is_open());
  bytes_written_ += text.size();
  while (!text.empty()) {
    if (filled_ == sizeof buffer_) push_out();
    const std::size_t room = sizeof buffer_ - filled_;
    const std::string_view piece = piece_of(text, 0, room);
    copy(std::span<char>(buffer_).subspan(filled_),
         std::span<const char>(piece.data(), piece.size()));
    filled_ += static_cast<u32>(piece.size());
    text.remove_prefix(piece.size());
  }
}

void OutputFile::push_out() {
  if (error_ == 0 && filled_ > 0 && !write_all(fd_, {buffer_, filled_})) error_ = errno;
  filled_ = 0;
}

Status OutputFile::flush() {
  XMC_CHECK(is_open());
  push_out();
  if (error_ == 0) return {};
  return Status::fail_os(code_of_error(error_), error_, "cannot write %s",
                         owned_ ? path_ : "standard output");
}

Status OutputFile::close() {
  const Status status = flush();
  const bool failed = owned_ && ::close(fd_) != 0 && errno != EINTR;
  const int error = errno;
  fd_ = -1;
  if (status.ok() && failed) return Status::fail_os(Code::io, error, "cannot close %s", path_);
  return status;
}

}  // namespace xmc
