// Crew: a search with files whose states are divided among threads of this process: one search of
// the same kind for each owner, with a part of the memory, files and an executor of its own. They
// meet through xmc/peers.h; here is what they share beside that: the folder, and checkpoints, which
// are one root with the lines of all.
//
// A process with one owner among others is a crew of one when its run goes on, or once went on,
// with another number of owners: the files of each division have names of their own.
#pragma once

#include "engine/owners/owner_folder.h"
#include "store/checkpoint/manifest.h"
#include "xmc/engine.h"

namespace xmc {

// A search that can be one of a crew.
class CrewMember : public Engine {
 public:
  // Its like, in memory of the caller; 0: it has none. What else it needs to be like this one is
  // carved by join().
  virtual u64 object_bytes() const { return 0; }
  virtual CrewMember* make_another(void*) const { return nullptr; }
  virtual void join(const CrewMember&, Arena&) {}
  // As one owner, who may be the only one.
  virtual u64 minimum_alone(const Model& model, const SearchOptions& options) const = 0;
  virtual Status plan_alone(const Model& model, const SearchOptions& options, Arena& arena) = 0;
  virtual Status run_alone(const RunControl& control, SearchOutcome& outcome) = 0;

 protected:
  constexpr CrewMember() = default;
  ~CrewMember() = default;
};

class Crew {
 public:
  // For several owners, or one who goes on with what others have left.
  static bool is_needed(const SearchOptions& options);
  static u64 minimum_bytes(const CrewMember& first, const Model& model,
                           const SearchOptions& options);
  // `first` is owner 0; the others are made in the arena, from which plan() takes the rest.
  static Crew* make(CrewMember& first, const Model& model, const SearchOptions& options,
                    Arena& arena);
  Status plan();
  Status run(const RunControl& control, SearchOutcome& outcome);

 private:
  // A checkpoint is committed when everybody's lines are there.
  class OwnCheckpoints final : public Checkpointer {
   public:
    Crew* crew = nullptr;
    u32 owner = 0;
    bool due(bool level_end) override;
    Manifest& begin() override;
    Status commit() override;
  };

  struct Member {
    CrewMember* search = nullptr;
    OwnerFolder folder;
    OwnCheckpoints checkpoints;
    Manifest* lines = nullptr;   // of its checkpoint
    Manifest* resume = nullptr;  // that it goes on from
    SearchOutcome outcome;
    Status status;
  };

  // An owner of the checkpoint that the run goes on from with another number of owners.
  struct Old {
    OwnerFolder folder;
    Manifest* lines = nullptr;
  };

  bool divides_anew() const;
  void find_old();
  void add_old(u32& at, const OwnerPart& process, u32 owners);
  std::span<const OwnerPart> parts_of(u32 owner) const;
  Status commit_all();
  Status forget_old();
  StopReason ask(const Progress& progress);
  Status name_file(const Status& status, u32 owner) const;

  Model model_;
  SearchOptions options_;
  Arena* arena_ = nullptr;
  u64 given_bytes_ = 0;  // of the arena, for all of them
  std::span<Member> members_;
  const RunControl* control_ = nullptr;
  u64 division_ = 0;  // times that the states of this run were divided anew
  std::span<Old> olds_;
  std::span<OwnerPart> parts_;
  u32 committed_ = 0;
};

}  // namespace xmc
