// Verification of a work directory: both roots, the model, and every block of every file that the
// root in use names. Says what is wrong and what resume would do; changes nothing.
#include "cli/commands/commands.h"
#include "cli/run/budget.h"
#include "cli/run/input/model_input.h"
#include "cli/run/work/run_marker.h"
#include "cli/run/work/work_view.h"
#include "store/checkpoint/verify.h"
#include "xmc/bytes.h"
#include "xmc/hash.h"
#include "xmc/text.h"

namespace xmc {

namespace {

class Fsck {
 public:
  Fsck(Session& session, WorkView& view) : out_(session.out()), view_(view) {}

  void check_roots();
  void check_model(Arena& arena);
  void check_text(const char* name, u64 wanted, Arena& arena);
  void check_kept(u64 marker_checksum, Arena& arena);
  Status check_files(Arena& arena);
  // The last line. Whether all is well.
  bool conclude();

 private:
  Output& begin_line(std::string_view name);
  void wrong(std::string_view name, const Status& status);
  Status check_file(const Manifest::File& file, std::span<u8> buffer);
  Status check_plain(Device& device, const Manifest::File& file, std::span<u8> buffer);

  Output& out_;
  WorkView& view_;
  Manifest manifest_;
  Root root_;
  u64 wrongs_ = 0;
  bool files_sound_ = true;
  bool bound_ =
      false;  // the folder to its run: without the marker no block can be told to be sound
};

Output& Fsck::begin_line(std::string_view name) {
  constexpr u32 kColumn = 14;
  out_.add(name).add(' ');
  if (name.size() + 1 < kColumn) out_.spaces(kColumn - 1 - static_cast<u32>(name.size()));
  return out_;
}

void Fsck::wrong(std::string_view name, const Status& status) {
  ++wrongs_;
  begin_line(name).add("wrong: ").add(status.message()).add('\n');
}

void Fsck::check_roots() {
  for (u32 i = 0; i < kRootSlots; ++i) {
    const RootSlot slot = read_root(view_.folder(), i, manifest_);
    switch (slot.state) {
      case RootSlot::State::absent:
        begin_line(kRootFiles[i]).add("not there\n");
        break;
      case RootSlot::State::unsound:
        wrong(kRootFiles[i], slot.why);
        break;
      case RootSlot::State::sound:
        begin_line(kRootFiles[i]).format("checkpoint %llu, sound\n", wide(slot.sequence));
        break;
    }
  }
  const Result<Root> root = load_root(view_.folder(), manifest_);
  if (root.ok()) root_ = root.value();
}

// Older versions kept no limits and outputs.
void Fsck::check_kept(u64 marker_checksum, Arena& arena) {
  char path[kPathBytes];
  ModelInput text;
  Options ignored;
  u64 of_marker = 0;
  Status status = join_path(path, view_.path(), WorkDir::kKept);
  if (status.ok() && !file_exists(path)) return;
  if (status.ok()) status = read_model_file(path, arena, text);
  if (status.ok()) {
    char* const at = const_cast<char*>(text.text.data());
    status = read_kept(at, text.text.size(), of_marker, ignored);
  }
  if (status.ok() && of_marker != marker_checksum) {
    status = Status::fail(Code::corrupt, "it belongs to another run");
  }
  if (!status.ok()) {
    wrong(WorkDir::kKept, status);
  } else {
    begin_line(WorkDir::kKept).add("limits and outputs of the run\n");
  }
}

// A text that the marker has the hash of.
void Fsck::check_text(const char* name, u64 wanted, Arena& arena) {
  char path[kPathBytes];
  ModelInput text;
  Status status = join_path(path, view_.path(), name);
  if (status.ok()) status = read_model_file(path, arena, text);
  const u64 hash = hash_bytes({reinterpret_cast<const u8*>(text.text.data()), text.text.size()});
  if (status.ok() && hash != wanted) {
    status = Status::fail(Code::corrupt, "its hash is %016llx and should be %016llx", wide(hash),
                          wide(wanted));
  }
  if (!status.ok()) {
    wrong(name, status);
  } else {
    begin_line(name).format("%llu bytes, sound\n", wide(text.text.size()));
  }
}

void Fsck::check_model(Arena& arena) {
  char path[kPathBytes];
  RunMarker marker;
  Options ignored;
  ModelInput text;
  Status status = join_path(path, view_.path(), WorkDir::kMarker);
  if (status.ok()) status = read_model_file(path, arena, text);
  // Scratch, and ours to write to.
  if (status.ok()) {
    char* const at = const_cast<char*>(text.text.data());
    status = read_marker(at, text.text.size(), marker, ignored);
  }
  if (!status.ok()) {
    wrong(WorkDir::kMarker, status);
    return;
  }
  begin_line(WorkDir::kMarker).add("options of a run of ").add(marker.model).add('\n');
  view_.folder().bind(marker.run, 0);
  bound_ = true;
  check_kept(marker.checksum, arena);
  check_text(WorkDir::kModel, marker.model_hash, arena);
  if (!marker.property_form.empty()) check_text(WorkDir::kProperty, marker.property_hash, arena);
  text.release(arena);
}

Status Fsck::check_plain(Device& device, const Manifest::File& file, std::span<u8> buffer) {
  if (file.bytes % kPageBytes != 0) return Status::fail(Code::corrupt, "its size is impossible");
  XMC_LET(const u64 sum, plain_checksum(device, file.bytes, buffer));
  if (sum != file.chain) {
    return Status::fail(Code::corrupt, "its checksum is %016llx and should be %016llx", wide(sum),
                        wide(file.chain));
  }
  begin_line(file.name).format("%llu bytes, sound\n", wide(file.bytes));
  return {};
}

Status Fsck::check_file(const Manifest::File& file, std::span<u8> buffer) {
  FixedText<64> name;
  name.add(file.name);
  XMC_LET(Device* const device, view_.folder().open(name.c_str(), Folder::Open::existing));
  if (file.plain) {
    const Status status = check_plain(*device, file, buffer);
    view_.folder().close(device);
    return status;
  }
  const Result<BlockReport> report = verify_blocks(*device, file, buffer);
  const u64 behind = device->size_bytes() - file.bytes;
  view_.folder().close(device);
  if (!report.ok()) return report.status();
  const BlockReport& found = report.value();
  if (found.damaged != 0) {
    return Status::fail(Code::corrupt, "block %llu (at byte %llu) is damaged, %llu in all%s",
                        wide(found.first_damaged), wide(found.first_offset), wide(found.damaged),
                        found.lost ? "; what follows could not be read" : "");
  }
  if (found.chain_broken) {
    return Status::fail(Code::corrupt, "its blocks are sound, but not those of the checkpoint");
  }
  begin_line(file.name).format("%llu blocks, %llu bytes, sound", wide(found.blocks),
                               wide(file.bytes));
  if (behind != 0) out_.format("; %llu bytes behind the checkpoint", wide(behind));
  out_.add('\n');
  return {};
}

Status Fsck::check_files(Arena& arena) {
  if (root_.slot == kNone) return {};
  if (!bound_) {
    wrong("files", Status::fail(Code::corrupt, "which run they are of is not known"));
    files_sound_ = false;
    return {};
  }
  const u64 room = round_down(arena.free_bytes() - kPageBytes, kPageBytes);
  u8* const memory = static_cast<u8*>(arena.scratch("blocks", room, kPageBytes));
  Manifest::File file;
  for (u32 i = 0; manifest_.file(i, file); ++i) {
    const Status status = check_file(file, {memory, static_cast<std::size_t>(room)});
    if (status.code() == Code::budget) return status;
    if (status.ok()) continue;
    wrong(file.name, status);
    files_sound_ = false;
  }
  return {};
}

bool Fsck::conclude() {
  begin_line("result");
  if (root_.slot == kNone) {
    out_.add("there is no sound checkpoint: the run cannot be resumed\n");
    ++wrongs_;
  } else if (!files_sound_) {
    out_.format("checkpoint %llu has lost data", wide(root_.sequence));
    Manifest older;
    const Result<Root> other = load_root(view_.folder(), older, root_.slot);
    if (other.ok())
      out_.format("; resume falls back to checkpoint %llu if that has it",
                  wide(other.value().sequence));
    out_.add('\n');
  } else {
    out_.format("resume goes on from checkpoint %llu (%s)\n", wide(root_.sequence),
                kRootFiles[root_.slot]);
  }
  return wrongs_ == 0;
}

Status verify(Session& session, bool& sound) {
  WorkView view;
  const char* const path = session.options.operand().data();
  XMC_TRY(view.open(path));
  if (FolderLock::holder(path).running) {
    return Status::fail(Code::io, "%.200s is in use; stop its run first", path);
  }
  Budget budget;
  XMC_TRY(budget.open(session));
  Fsck fsck(session, view);
  fsck.check_roots();
  fsck.check_model(budget.arena());
  XMC_TRY(fsck.check_files(budget.arena()));
  sound = fsck.conclude();
  return {};
}

}  // namespace

int cmd_fsck(Session& session) {
  bool sound = false;
  const Status status = verify(session, sound);
  if (!status.ok()) return session.end_with(status);
  session.report.verdict.exit = sound ? Exit::holds : Exit::io;
  return session.end();
}

}  // namespace xmc
