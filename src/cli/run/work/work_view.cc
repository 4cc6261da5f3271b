#include "cli/run/work/work_view.h"

#include "cli/run/work/shared_work.h"
#include "platform/memory.h"
#include "xmc/bytes.h"
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
  if (SharedWork::is_at(path)) {
    return Status::fail(Code::usage,
                        "%.160s holds the work of several processes; look at %.160s/rank-0", path,
                        path);
  }
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

// With a byte behind it, in a mapping of its own: status has no arena.
Result<std::span<char>> WorkView::load_text(const char* name) {
  char path[kPathBytes];
  XMC_TRY(join_path(path, path_, name));
  XMC_LET(const u64 size, file_bytes(path));
  XMC_LET(const std::span<u8> region, map_region(round_up(size + 1, page_bytes())));
  const std::span<u8> text = region.first(static_cast<std::size_t>(size));
  XMC_LET(const u64 got, read_file(path, text));
  return std::span<char>(reinterpret_cast<char*>(text.data()), static_cast<std::size_t>(got));
}

Status WorkView::read_run(RunMarker& marker, Options& options) {
  u64 of_marker = 0;
  if (const Result<std::span<char>> kept = load_text(WorkDir::kKept); kept.ok()) {
    XMC_TRY(read_kept(kept.value().data(), kept.value().size(), of_marker, options));
  }
  XMC_LET(const std::span<char> text, load_text(WorkDir::kMarker));
  return read_marker(text.data(), text.size(), marker, options);
}

}  // namespace xmc
