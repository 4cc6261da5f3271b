// The work directory of a new run: its name, when it is made, and what says in it which run it is.
//
// One that the user has named is made and locked at once. One with a default name is made when the
// search writes its first file, with its first checkpoint at the latest: most searches stay in
// memory and leave nothing, and several of one model can be at work in one folder. Until then the
// text of the model stays in memory, if there is plenty of it.
#include <algorithm>

#include "cli/run/check_run.h"
#include "platform/unique.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr u64 kTextShare = 128;  // of the memory, for the text of the model

constexpr const char* kCurrentFolder = ".";

}  // namespace

Status CheckRun::open_work(const ModelInput& input) {
  const Options& options = session_.options;
  const bool named = options.given(Opt::work);
  const EngineTraits& traits = engine_->traits();
  if (!named && !options.given(Opt::keep) && !traits.keeps_files && !auto_engine_) return {};
  work_name_.choose(input.file, options);
  const char* path = named ? options.c_str(Opt::work) : work_name_.numbered(1);
  XMC_TRY(find_place_of_process(path));
  const bool own_name = named || shared_place_[0] != '\0';
  const bool later = !own_name && !makes_work_at_once(input);
  Status status;
  if (!own_name && (planning_ || later)) status = find_free_name(path);
  if (status.ok() && planning_) status = find_place(path);
  if (status.ok() && later && !planning_)
    status = can_make_files_in(file_exists(path) ? path : kCurrentFolder);
  if (status.ok() && !planning_ && !later) {
    status = own_name ? work_.open(path) : open_free_name(true);
  }
  // An engine without files does not need one, so a directory that cannot be written to does not
  // stop a run that did not ask for it.
  const bool files_needed = traits.keeps_files && !traits.only_checkpoints && !auto_engine_;
  const bool needed = named || options.given(Opt::keep) || files_needed;
  if (status.code() == Code::io && !needed) {
    if (auto_engine_) take_choice(false);
    if (!options.given(Opt::quiet))
      session_.err().add("note      no work directory: ").add(status.message()).add('\n');
    return {};
  }
  if (!status.ok()) return status;
  note_question(input, later);
  return later || planning_ ? Status() : describe_work();
}

bool CheckRun::makes_work_at_once(const ModelInput& input) {
  const bool in_memory = input.text.size() + input.property.source.text.size() <=
                         budget_.arena().free_bytes() / kTextShare;
  return session_.options.given(Opt::keep) || engine_->traits().wants_probe || !in_memory ||
         session_.surroundings.storage != nullptr;
}

// The first name that no other process works in. What is refused is refused before the search.
Status CheckRun::find_free_name(const char*& path) {
  WorkDir::Kind kind = WorkDir::Kind::absent;
  Status status;
  for (u32 number = 1; number <= WorkName::kMost; ++number) {
    path = work_name_.numbered(number);
    status = work_.look_at(path, kind);
    if (!work_.in_use()) break;
  }
  return status;
}

// The same, and it is taken. Behind the beginning of a search nothing is refused any more: names
// that others have taken in the meantime, with whatever is in them, are left alone.
Status CheckRun::open_free_name(bool at_the_beginning) {
  Status status;
  for (u32 number = 1; number <= WorkName::kMost; ++number) {
    status = work_.open(work_name_.numbered(number));
    const bool next = !at_the_beginning && status.code() == Code::usage;
    if (!work_.in_use() && !next) break;
  }
  return status;
}

// Which run it is. For a directory that is made later the texts have to stay.
void CheckRun::note_question(const ModelInput& input, bool later) {
  marker_.run = unique_number();
  marker_.model = input.file;
  marker_.model_hash = model_.text_hash;
  marker_.emitted = session_.native != nullptr;
  new_work_.planned = later && !planning_;
  new_work_.model = input.text;
  if (input.property.given()) {
    marker_.property_form = input.property.form_name();
    marker_.property_name = input.property.source.name;
    marker_.property_hash = hash_of_text(input.property.source.text);
    new_work_.property = input.property.source.text;
  }
  if (!later || session_.native != nullptr) return;
  const std::span<char> kept =
      budget_.arena().carve_array<char>("model text", std::max<u64>(input.text.size(), 1));
  std::copy(input.text.begin(), input.text.end(), kept.begin());
  new_work_.model = {kept.data(), input.text.size()};
}

Status CheckRun::describe_work() {
  if (!marker_.property_form.empty()) {
    XMC_TRY(work_.write_file(WorkDir::kProperty, new_work_.property));
  }
  XMC_LET(const char* const marker, work_.path_of(WorkDir::kMarker));
  XMC_TRY(write_marker(marker, marker_, session_.options));
  XMC_LET(const char* const kept, work_.path_of(WorkDir::kKept));
  XMC_TRY(write_kept(kept, marker_.checksum, session_.options, false));
  return work_.write_file(WorkDir::kModel, new_work_.model);
}

// In the middle of a search, for its first file.
Status CheckRun::make_work_now(char* path) {
  XMC_TRY(open_free_name(false));
  Status status = describe_work();
  if (status.ok()) {
    Text(path, kPathBytes).add(work_.path());
    return status;
  }
  bool foreign_left = false;
  static_cast<void>(work_.remove(foreign_left));
  return status;
}

const char* CheckRun::place_of_files() const {
  if (planning_) return forecast_.place;
  return new_work_.planned && !work_.is_open() ? kCurrentFolder : work_.path();
}

Status CheckRun::start_folder(const char* path) {
  FileBackend* const backend = file_backend(IoBackend::automatic);
  XMC_CHECK(backend != nullptr);
  files_.emplace(*backend);
  folder_ = &*files_;
  session_.report.io_backend = backend->name();
  const FolderMaker maker = {this, [](void* self, char* made) {
                               return static_cast<CheckRun*>(self)->make_work_now(made);
                             }};
  const bool later = new_work_.planned && !work_.is_open();
  XMC_TRY(later ? files_->start_later(path, maker) : files_->start(path));
  if (session_.surroundings.storage != nullptr) folder_ = session_.surroundings.storage(*files_);
  return {};
}

Status CheckRun::open_folder() {
  if (!engine_->traits().keeps_files || planning_) return {};
  if (!work_.is_open() && !new_work_.planned) return {};
  if (folder_ == nullptr) {
    XMC_TRY(start_folder(place_of_files()));
    bind_folder();
  }
  if (engine_->traits().wants_probe) {
    device_ = device_cost_of(work_.path(), *folder_, budget_.arena(),
                             session_.options.given(Opt::quiet) ? nullptr : &session_.err());
  }
  return {};
}

}  // namespace xmc
