#include "cli/run/check/work_place.h"

#include "platform/unique.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// In the middle of a search, for its first file.
Status make_work_now(WorkPlace& place, char* path) {
  XMC_TRY(open_free_name(place, false));
  Status status = describe_work(place);
  if (status.ok()) {
    Text(path, kPathBytes).add(place.dir.path());
    return status;
  }
  bool foreign_left = false;
  static_cast<void>(place.dir.remove(foreign_left));
  return status;
}

}  // namespace

const char* WorkPlace::path_of_device() const {
  return is_made_later() ? kCurrentFolder : dir.path();
}

Status open_free_name(WorkPlace& place, bool at_the_beginning) {
  Status status;
  for (u32 number = 1; number <= WorkName::kMost; ++number) {
    status = place.dir.open(place.name.numbered(number));
    const bool next = !at_the_beginning && status.code() == Code::usage;
    if (!place.dir.in_use() && !next) break;
  }
  return status;
}

Status describe_work(WorkPlace& place) {
  WorkDir& dir = place.dir;
  if (!place.marker.property_form.empty()) {
    XMC_TRY(dir.write_file(WorkDir::kProperty, place.property_text));
  }
  XMC_LET(const char* const marker, dir.path_of(WorkDir::kMarker));
  XMC_TRY(write_marker(marker, place.marker, place.options));
  XMC_LET(const char* const kept, dir.path_of(WorkDir::kKept));
  XMC_TRY(write_kept(kept, place.marker.checksum, place.options, false));
  return dir.write_file(WorkDir::kModel, place.model_text);
}

Status start_folder(Session& session, WorkPlace& place, const char* path) {
  FileBackend* const backend = file_backend(IoBackend::automatic);
  XMC_CHECK(backend != nullptr);
  FileFolder& files = place.files.emplace(*backend);
  place.folder = &files;
  session.report.io_backend = backend->name();
  const FolderMaker maker = {&place, [](void* self, char* made) {
                               return make_work_now(*static_cast<WorkPlace*>(self), made);
                             }};
  XMC_TRY(place.is_made_later() ? files.start_later(path, maker) : files.start(path));
  if (session.surroundings.storage != nullptr) place.folder = session.surroundings.storage(files);
  return {};
}

void bind_folder(WorkPlace& place) {
  place.folder->bind(place.marker.run, static_cast<u16>(unique_number()));
}

}  // namespace xmc
