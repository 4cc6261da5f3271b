#include "engine/owners/crew.h"

#include <algorithm>
#include <new>

#include "engine/owners/owner_figures.h"
#include "engine/search/file_names.h"
#include "store/checkpoint/owner_lines.h"
#include "store/files/numbered_file.h"
#include "xmc/bytes.h"
#include "xmc/parallel.h"
#include "xmc/peers.h"
#include "xmc/text.h"

namespace xmc {

namespace {

// As one owner sees the options of all.
SearchOptions options_of_one(const SearchOptions& all, u32 owner) {
  SearchOptions options = all;
  options.parallel = nullptr;
  options.executors = nullptr;
  options.owners = all.owners.subspan(owner, 1);
  return options;
}

u64 number_or(const Manifest& manifest, const char* name, u64 otherwise) {
  const Result<u64> number = manifest.number(name);
  return number.ok() ? number.value() : otherwise;
}

constexpr const char* kOwnersHere = "owners-here";

u32 owners_in(const Manifest& lines, const char* name) {
  return static_cast<u32>(std::min<u64>(number_or(lines, name, 1), limits::kThreads));
}

// What this process goes on from; 0: it begins, or others go on for it.
u32 old_owners(const SearchOptions& options) {
  if (options.resume == nullptr) return 0;
  if (!options.divide_anew) return owners_in(*options.resume, "owners");
  u32 sum = 0;
  for (const OwnerPart& process : options.parts) sum += owners_in(*process.lines, kOwnersHere);
  return sum;
}

constexpr u64 kNumbered = 32;  // files of the same name, at most

// Of an owner's folder; those without a checkpoint: of the set, which is made anew.
Status remove_files(Folder& folder, std::span<const EngineFile> files, bool without_checkpoint) {
  for (const EngineFile& file : files) {
    const std::string_view name = file.name;
    if (without_checkpoint && name != kCandidatesFile && name != kRunsFile) continue;
    XMC_TRY(folder.remove(file.name));
    for (u64 number = 0; file.numbered && number < kNumbered; ++number) {
      XMC_TRY(folder.remove(FileName(file.name, number).c_str()));
    }
  }
  return {};
}

u64 manifests(const SearchOptions& options) {
  return (options.checkpoints != nullptr ? 1u : 0u) + (options.resume != nullptr ? 1u : 0u);
}

}  // namespace

bool Crew::is_needed(const SearchOptions& options) {
  if (options.owners.empty()) return false;
  if (options.owners.size() > 1 || options.divide_anew) return true;
  if (options.resume != nullptr && number_or(*options.resume, "division", 0) != 0) return true;
  // Else the others are in other processes.
  return options.owners[0]->count() == 1 && old_owners(options) > 1;
}

u64 Crew::minimum_bytes(const CrewMember& first, const Model& model, const SearchOptions& options) {
  const u64 own = first.minimum_alone(model, options_of_one(options, 0)) + kPageBytes;
  const u64 besides = sizeof(Member) + first.object_bytes() +
                      manifests(options) * sizeof(Manifest) + 4 * kLineBytes;
  const u64 old = old_owners(options) * (sizeof(Old) + sizeof(Manifest) + kLineBytes);
  return sizeof(Crew) + options.owners.size() * (own + besides) + old + 2 * kPageBytes;
}

Crew* Crew::make(CrewMember& first, const Model& model, const SearchOptions& options,
                 Arena& arena) {
  const u64 given = arena.free_bytes();
  Crew* const crew = ::new (arena.carve("owners", sizeof(Crew), alignof(Crew))) Crew();
  crew->model_ = model;
  crew->options_ = options;
  crew->arena_ = &arena;
  crew->given_bytes_ = given;
  const u32 count = static_cast<u32>(options.owners.size());
  if (options.resume != nullptr) crew->division_ = number_or(*options.resume, "division", 0);
  if (crew->divides_anew()) crew->find_old();
  Member* const members =
      static_cast<Member*>(arena.carve("owners", count * sizeof(Member), alignof(Member)));
  const auto manifest = [&] {
    return ::new (arena.carve("owners", sizeof(Manifest), alignof(Manifest))) Manifest();
  };
  for (u32 i = 0; i < count; ++i) {
    Member& member = *::new (static_cast<void*>(members + i)) Member();
    member.folder.start(*options.folder, options.parallel, OwnerPrefix(i, crew->division_));
    member.checkpoints.crew = crew;
    member.checkpoints.owner = i;
    if (options.checkpoints != nullptr) member.lines = manifest();
    if (options.resume != nullptr) member.resume = manifest();
    member.search =
        i == 0 ? &first
               : first.make_another(arena.carve("owners", first.object_bytes(), kLineBytes));
    if (i > 0) member.search->join(first, arena);
  }
  crew->members_ = {members, count};
  return crew;
}

bool Crew::divides_anew() const {
  if (options_.resume == nullptr || options_.divide_anew) return options_.divide_anew;
  return options_.owners[0]->count() == options_.owners.size() &&
         old_owners(options_) != options_.owners.size();
}

// What the owners of the checkpoint have left, in the order of those who take it: i has those that
// are i, i + count, ...
void Crew::find_old() {
  const u32 old = old_owners(options_);
  const u32 count = static_cast<u32>(options_.owners.size());
  olds_ = arena_->carve_array<Old>("owners", old, kLineBytes);
  parts_ = arena_->carve_array<OwnerPart>("owners", old);
  u32 found = 0;
  if (!options_.divide_anew) add_old(found, {options_.folder, options_.resume}, old);
  for (const OwnerPart& process : options_.parts) {
    add_old(found, process, owners_in(*process.lines, kOwnersHere));
    division_ = std::max(division_, number_or(*process.lines, "division", 0));
  }
  u32 at = 0;
  for (u32 i = 0; i < count; ++i) {
    for (u32 o = i; o < old; o += count) parts_[at++] = {&olds_[o].folder, olds_[o].lines};
  }
  ++division_;
}

void Crew::add_old(u32& at, const OwnerPart& process, u32 owners) {
  for (u32 o = 0; o < owners; ++o) {
    Old& one = *::new (static_cast<void*>(&olds_[at++])) Old();
    const OwnerPrefix prefix(o, number_or(*process.lines, "division", 0));
    one.folder.start(*process.folder, options_.parallel, prefix);
    one.lines = ::new (arena_->carve("owners", sizeof(Manifest), alignof(Manifest))) Manifest();
    take_owner_lines(*process.lines, o, prefix.view(), *one.lines);
  }
}

std::span<const OwnerPart> Crew::parts_of(u32 owner) const {
  const u32 count = static_cast<u32>(options_.owners.size());
  const u32 old = static_cast<u32>(parts_.size());
  u32 first = 0;
  for (u32 i = 0; i < owner; ++i) first += i < old ? (old - i + count - 1) / count : 0;
  return parts_.subspan(first, owner < old ? (old - owner + count - 1) / count : 0);
}

// Everybody gets as much: whose a state is is a matter of chance.
Status Crew::plan() {
  const std::span<const EngineFile> files = members_[0].search->traits().files;
  for (Old& old : olds_) XMC_TRY(remove_files(old.folder, files, true));
  const u32 count = static_cast<u32>(members_.size());
  const u64 each = round_down((arena_->free_bytes() - kPageBytes) / count, kPageBytes);
  for (u32 i = 0; i < count; ++i) {
    Member& member = members_[i];
    SearchOptions options = options_of_one(options_, i);
    options.folder = &member.folder;
    if (options.checkpoints != nullptr) options.checkpoints = &member.checkpoints;
    if (divides_anew()) {
      options.divide_anew = true;
      options.parts = parts_of(i);
    } else if (options.resume != nullptr) {
      take_owner_lines(*options_.resume, i, OwnerPrefix(i, division_).view(), *member.resume);
      options.resume = member.resume;
    }
    Model model = model_;
    if (i > 0) model.self = options_.executors[i - 1];
    Arena part(arena_->carve_array<u8>("states of an owner", each, kPageBytes));
    XMC_TRY(member.search->plan_alone(model, options, part));
  }
  return {};
}

Status Crew::run(const RunControl& control, SearchOutcome& outcome) {
  control_ = &control;
  const RunControl first{this, [](void* self, const Progress& progress) {
                           return static_cast<Crew*>(self)->ask(progress);
                         }};
  const u32 count = static_cast<u32>(members_.size());
  for_parts(options_.parallel, count, count, [&](u32, u32, u32 i) {
    Member& member = members_[i];
    member.status = member.search->run_alone(i == 0 ? first : RunControl{}, member.outcome);
  });
  outcome = members_[0].outcome;
  for (u32 i = 1; i < count; ++i) {
    const SearchOutcome& other = members_[i].outcome;
    add_figures(outcome.stats, other.stats);
    outcome.ram_needed_bytes = std::max(outcome.ram_needed_bytes, other.ram_needed_bytes);
    outcome.ram_likely_bytes = std::max(outcome.ram_likely_bytes, other.ram_likely_bytes);
  }
  // What they share is not among what each of them needs, nor what is left over between them.
  if (outcome.ram_needed_bytes != 0)
    outcome.ram_needed_bytes = std::max(outcome.ram_needed_bytes * count, given_bytes_ + count);
  outcome.ram_likely_bytes *= count;
  for (u32 i = 0; i < count; ++i) XMC_TRY(name_file(members_[i].status, i));
  return {};
}

// A damaged file by the name that it has in the folder: a member knows its files by the names that
// they would have alone.
Status Crew::name_file(const Status& status, u32 owner) const {
  const OwnerPrefix prefix(owner, division_);
  if (status.code() != Code::corrupt || prefix.view().empty()) return status;
  const std::string_view message = status.message();
  for (const EngineFile& file : members_[0].search->traits().files) {
    FixedText<64> quoted;
    quoted.add('\'').add(file.name);
    const std::size_t at = message.find(quoted.view());
    if (at == std::string_view::npos) continue;
    const std::string_view rest = piece_of(message, at + 1);
    return Status::fail(status.code(), "%.*s'%.*s%.*s", static_cast<int>(at), message.data(),
                        static_cast<int>(prefix.view().size()), prefix.view().data(),
                        static_cast<int>(rest.size()), rest.data());
  }
  return status;
}

// Whoever is asked looks at the figures of the folder, too.
StopReason Crew::ask(const Progress& progress) {
  const ParallelLock lock(options_.parallel);
  return (*control_)(progress);
}

// --- Checkpoints ------------------------------------------------------------------------------

bool Crew::OwnCheckpoints::due(bool level_end) {
  return crew->options_.checkpoints->due(level_end);
}

Manifest& Crew::OwnCheckpoints::begin() {
  Manifest& lines = *crew->members_[owner].lines;
  lines.clear();
  return lines;
}

// Everybody waits until it is done.
Status Crew::OwnCheckpoints::commit() {
  Peers& peers = *crew->options_.owners[owner];
  const u64 mine[] = {0};
  u64 all[limits::kOwners];
  const std::span<u64> answers(all, peers.count());
  XMC_TRY(peers.gather(mine, answers));
  Status status;
  if (owner == 0) status = crew->commit_all();
  if (!status.ok()) return status;
  return peers.gather(mine, answers);
}

Status Crew::commit_all() {
  Manifest& manifest = options_.checkpoints->begin();
  for (u32 i = 0; i < members_.size(); ++i) {
    add_owner_lines(manifest, i, OwnerPrefix(i, division_).view(), *members_[i].lines);
  }
  if (division_ != 0) manifest.add("division", division_);
  if (members_.size() > 1) manifest.add(kOwnersHere, members_.size());
  XMC_TRY(options_.checkpoints->commit());
  return forget_old();
}

// The last two checkpoints need no files of divisions before theirs: behind the first one of this
// process those of two divisions ago, behind the second one those of the last.
Status Crew::forget_old() {
  const u64 back = committed_ < 2 ? 2 - committed_ : 0;
  ++committed_;
  if (back == 0 || division_ < back) return {};
  const std::span<const EngineFile> files = members_[0].search->traits().files;
  OwnerFolder folder;
  for (u32 owner = 0; owner < limits::kThreads; ++owner) {
    folder.start(*options_.folder, options_.parallel, OwnerPrefix(owner, division_ - back));
    XMC_TRY(remove_files(folder, files, false));
  }
  // Those of other processes, too.
  for (u32 i = 0; back == 1 && i < olds_.size(); ++i) {
    XMC_TRY(remove_files(olds_[i].folder, files, false));
  }
  return {};
}

}  // namespace xmc
