#include "cli/work_view.h"

#include "xmc/check.h"

namespace xmc {

namespace {

FileBackend& backend() {
  FileBackend* const found = file_backend(IoBackend::automatic);
  XMC_CHECK(found != nullptr);
  return *found;
}

}  // namespace

WorkView::WorkView() : folder_(backend()) {}

Status WorkView::open(const char* path) {
  path_ = path;
  const WorkDir::Kind kind = WorkDir::look(path);
  if (kind == WorkDir::Kind::absent) return Status::fail(Code::usage, "there is no %.200s", path);
  if (kind != WorkDir::Kind::ours) {
    return Status::fail(Code::usage, "%.200s is not a work directory of xmc-lite", path);
  }
  return folder_.start(path);
}

bool WorkView::read_lines(const char* name, Manifest& lines) {
  u8 text[512];
  const Result<u64> got = folder_.load(name, text);
  if (!got.ok()) return false;
  return lines.assign({reinterpret_cast<const char*>(text), static_cast<std::size_t>(got.value())});
}

}  // namespace xmc
