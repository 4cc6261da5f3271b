// OutputFile (files.h): a buffered output file. One that is opened beside its name takes the name
// when it is whole, so that whoever reads a result never sees half of it. Pipes and standard output
// are written as they are.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "platform/file_calls.h"
#include "platform/files.h"
#include "platform/signals.h"
#include "platform/terminal.h"
#include "xmc/bytes.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// A name beside the target may be taken by what a crash left, or by somebody's own file.
constexpr u32 kNamesBeside = 100;

// A pipe that nobody reads can be left by a signal.
int open_pipe(const char* path) {
  while (true) {
    const int fd = ::open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0) static_cast<void>(::fcntl(fd, F_SETFL, 0));
    if (fd >= 0 || errno != ENXIO || stop_requested()) return fd;
    const struct timespec pause = {0, 50'000'000};
    ::nanosleep(&pause, nullptr);
  }
}

// Standard output or error, if the name leads to the file that it goes to; else -1.
int standard_stream_of(const struct stat& target) {
  for (const int fd : {kStandardOutput, kStandardError}) {
    struct stat info = {};
    const bool same = ::fstat(fd, &info) == 0 && info.st_ino == target.st_ino;
    if (same && info.st_dev == target.st_dev) return fd;
  }
  return -1;
}

}  // namespace

OutputFile::~OutputFile() {
  if (beside_) {
    discard();
  } else if (is_open()) {
    static_cast<void>(close());
  }
}

void OutputFile::begin(const char* path) {
  XMC_CHECK(!is_open());
  path_ = path;
  error_ = 0;
  filled_ = 0;
  bytes_written_ = 0;
  owned_ = true;
  beside_ = false;
}

Status OutputFile::failed(const char* what) const {
  return Status::fail_os(Code::io, errno, "cannot %s %s", what, path_);
}

Status OutputFile::open(const char* path) {
  begin(path);
  fd_ = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return is_open() ? Status() : failed("write");
}

Status OutputFile::open_at(const char* path, u64 bytes) {
  begin(path);
  fd_ = ::open(path, O_WRONLY | O_CLOEXEC);
  if (!is_open()) return failed("write");
  const off_t end = static_cast<off_t>(bytes);
  if (::ftruncate(fd_, end) == 0 && ::lseek(fd_, end, SEEK_SET) == end) return {};
  const Status status = failed("cut");
  discard();
  return status;
}

Status OutputFile::open_stream(const char* path) {
  fd_ = is_pipe(path) ? open_pipe(path) : ::open(path, O_WRONLY | O_CLOEXEC);
  return is_open() ? Status() : failed("write");
}

Status OutputFile::open_beside(const char* path) {
  begin(path);
  owned_ = std::string_view(path) != "-";
  if (!owned_) {
    fd_ = kStandardOutput;
    return {};
  }
  if (is_stream(path)) return open_stream(path);
  XMC_TRY(follow_links(path, target_));
  struct stat info = {};
  const bool there = ::stat(target_, &info) == 0;
  if (there && S_ISDIR(info.st_mode))
    return Status::fail_os(Code::io, EISDIR, "cannot write %s", path);
  if (there && ::access(target_, W_OK) != 0) return failed("write");
  if (const int stream = there ? standard_stream_of(info) : -1; stream >= 0) {
    owned_ = false;
    fd_ = stream;
    return {};
  }
  XMC_TRY(create_beside());
  // The new file may be read by whom the old one could be.
  if (there) static_cast<void>(::fchmod(fd_, info.st_mode & 07777));
  return {};
}

Status OutputFile::create_beside() {
  for (u32 i = 0; i < kNamesBeside; ++i) {
    Text name(aside_, kPathBytes);
    name.add(target_).add(".new");
    if (i > 0) name.format(".%u", i);
    if (name.cut()) return Status::fail(Code::usage, "the name %.100s... is too long", path_);
    fd_ = ::open(aside_, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    beside_ = is_open();
    if (beside_ || errno != EEXIST) break;
  }
  return is_open() ? Status() : failed("write");
}

Status OutputFile::try_beside(const char* path) {
  if (std::string_view(path) == "-") return {};
  OutputFile file;
  if (is_stream(path)) {
    file.begin(path);
    return ::access(path, W_OK) == 0 ? Status() : file.failed("write");
  }
  XMC_TRY(file.open_beside(path));
  file.discard();
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

Status OutputFile::publish() {
  XMC_TRY(flush());
  if (!beside_) return {};
  XMC_TRY(rename_file(aside_, target_));
  beside_ = false;
  return {};
}

Status OutputFile::sync() {
  XMC_TRY(flush());
  // A pipe has nothing to sync and says EINVAL.
  if (!owned_ || ::fsync(fd_) == 0 || errno == EINVAL || errno == EROFS) return {};
  return failed("sync");
}

Status OutputFile::close() {
  const Status status = publish();
  if (beside_) {
    discard();
    return status;
  }
  const bool failed_to_close = owned_ && ::close(fd_) != 0 && errno != EINTR;
  fd_ = -1;
  return status.ok() && failed_to_close ? failed("close") : status;
}

void OutputFile::discard() {
  if (is_open() && owned_) ::close(fd_);
  fd_ = -1;
  if (beside_) ::unlink(aside_);
  beside_ = false;
}

}  // namespace xmc
