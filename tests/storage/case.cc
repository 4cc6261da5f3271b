#include "case.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>

#include "damage.h"
#include "store/checkpoint/root.h"
#include "xmc/hash.h"

namespace xmc_test {

namespace {

// Which call of a sequence: first one of each class, then all of them in an order that leaves none
// out. Counted from 1; 0: there is none.
u64 choose_call(const std::vector<u8>& calls, u32 index, u32 seed, Random& random) {
  if (calls.empty()) return 0;
  const std::set<u8> distinct(calls.begin(), calls.end());
  const u64 size = calls.size();
  if (index < distinct.size()) {
    const u8 wanted = *std::next(distinct.begin(), (index + seed) % distinct.size());
    u64 at = random() % size;
    while (calls[static_cast<std::size_t>(at)] != wanted) at = (at + 1) % size;
    return at + 1;
  }
  u64 stride = std::max<u64>(1, size * 5 / 8);
  while (std::gcd(stride, size) != 1) ++stride;
  return 1 + (u64{seed} * 7919 + (index - distinct.size()) * stride) % size;
}

std::span<const u8> name_bytes(const std::string& name) {
  return {reinterpret_cast<const u8*>(name.data()), name.size()};
}

class Case {
 public:
  Case(const Job& job, const Probe& probe, Fault fault, u32 index, u32 seed)
      : job_(job),
        probe_(probe),
        fault_(fault),
        index_(index),
        seed_(seed),
        random_(static_cast<u32>(hash_bytes(name_bytes(job.name()), seed)) + index * 101 +
                static_cast<u32>(fault) * 7919),
        card_(std::make_unique<Card>()) {}

  CaseResult run() {
    switch (fault_) {
      case Fault::flip_at_rest:
      case Fault::roots:
      case Fault::misplaced:
        at_rest();
        break;
      case Fault::cut_dropped:
      case Fault::cut_torn:
      case Fault::cut_reordered:
      case Fault::cut_mixed:
        cuts();
        break;
      default:
        in_flight();
    }
    return result_;
  }

 private:
  bool over() const { return is_failure(result_.ending); }
  void fail(Ending ending, const std::string& why) {
    if (over()) return;
    result_.ending = ending;
    result_.why = why;
  }

  // A process that finds no checkpoint begins again with an empty folder, as the tool does.
  ProcessEnd process(const FaultPlan& faults, u64 stop_at_poll = ~u64{0}) {
    const bool roots = card_->has(kRootFiles[0]) || card_->has(kRootFiles[1]);
    if (!roots && life_ > 0) {
      if (committed_ > 0) fail(Ending::lost, "there is no checkpoint any more");
      card_ = std::make_unique<Card>();
      again_ = true;
    }
    ProcessPlan plan;
    plan.faults = faults;
    plan.stop_at_poll = stop_at_poll;
    plan.most_polls = 20 * probe_.polls + 20'000;
    plan.every = probe_.every;
    plan.careless = probe_.careless;
    plan.life = static_cast<u16>(++life_);
    ProcessEnd end = run_process(job_, *card_, plan);
    FaultFolder& folder = card_->folder();
    if (folder.was_hit()) result_.hits.push_back(folder.hit());
    if (end.hung) fail(Ending::hung, "it polls without an end");
    fell_back_ = fell_back_ || end.fell_back;
    resumed_ = resumed_ || end.resumed;
    if (end.status.ok() && !may_fall_back() && end.from < committed_) {
      fail(Ending::lost, "it went on from checkpoint " + std::to_string(end.from) + ", and " +
                             std::to_string(committed_) + " was durable");
    }
    committed_ = std::max(committed_, end.committed);
    return end;
  }
  // Else a checkpoint that was committed is there and sound.
  bool may_fall_back() const {
    return fault_ == Fault::flip_at_rest || fault_ == Fault::roots || fault_ == Fault::misplaced ||
           fault_ == Fault::flip_in_flight || fault_ == Fault::read_error;
  }

  void conclude(const ProcessEnd& end) {
    std::string difference;
    if (!same_answer(end, probe_.outcome, difference)) return fail(Ending::wrong, difference);
    if (over()) return;
    result_.ending = fell_back_ ? Ending::older
                     : resumed_ ? Ending::resumed
                     : again_   ? Ending::again
                                : Ending::at_once;
  }

  // With a card that works from now on.
  void finish() {
    const ProcessEnd end = process({});
    if (end.decided()) return conclude(end);
    fail(Ending::lost, end.status.ok() ? "it stopped by itself" : end.status.c_str());
  }

  // In every third case the fault is in a run that goes on: a part of it comes before. The others
  // take their turns with the calls of the undisturbed run.
  u32 turn() const { return index_ - (index_ + 1) / 3; }
  void lead_in() {
    if (index_ % 3 != 2) return;
    const ProcessEnd end = process({}, 1 + random_() % probe_.polls);
    card_->end_process(random_(), Survival::kept);
    if (!end.decided()) return;
    card_ = std::make_unique<Card>();
    committed_ = life_ = 0;
    resumed_ = fell_back_ = again_ = false;
  }

  Survival survival() {
    if (fault_ == Fault::cut_dropped) return Survival::dropped;
    if (fault_ == Fault::cut_reordered) return Survival::reordered;
    if (fault_ == Fault::cut_mixed) return random_() % 4 == 0 ? Survival::kept : Survival::any;
    return random_() % 2 == 0 ? Survival::torn_blocks : Survival::torn_sectors;
  }

  void cuts() {
    lead_in();
    u64 at = choose_call(probe_.steps, turn(), seed_, random_);
    for (u32 cuts = 0; cuts < 3 && at != 0; ++cuts) {
      FaultPlan plan;
      plan.seed = random_();
      plan.cut_at = at;
      plan.survival = survival();
      const ProcessEnd end = process(plan);
      if (end.decided()) {
        conclude(end);
        if (cuts == 0 && result_.hits.empty() && !over()) result_.ending = Ending::not_met;
        return;
      }
      if (card_->folder().powered()) {
        return fail(Ending::unclear, std::string("without a cut: ") + end.status.c_str());
      }
      if (end.status.code() == Code::internal) fail(Ending::unclear, end.status.c_str());
      card_->end_process(plan.seed, plan.survival);
      at = random_() % 2 == 0 ? 0 : 1 + random_() % probe_.steps.size();
    }
    finish();
  }

  FaultPlan in_flight_plan() {
    FaultPlan plan;
    plan.seed = random_();
    const auto choose = [&](const std::vector<u8>& calls) {
      return choose_call(calls, turn(), seed_, random_);
    };
    if (fault_ == Fault::read_error) plan.fail_read_at = choose(probe_.reads);
    if (fault_ == Fault::flip_in_flight) plan.flip_read_at = choose(probe_.reads);
    if (fault_ == Fault::write_error) plan.fail_write_at = choose(probe_.writes);
    if (fault_ == Fault::sync_error) plan.fail_sync_at = choose(probe_.syncs);
    if (fault_ == Fault::full) plan.full_after_bytes = (random_() % 1000) * probe_.bytes / 1000;
    return plan;
  }

  void in_flight() {
    lead_in();
    const FaultPlan plan = in_flight_plan();
    const ProcessEnd end = process(plan);
    const FaultFolder& folder = card_->folder();
    if (end.decided()) {
      conclude(end);
      if (!folder.was_hit() && !over()) result_.ending = Ending::not_met;
      return;
    }
    if (!is_clear(end.status)) {
      fail(Ending::unclear, end.status.ok() ? "it stopped by itself" : end.status.c_str());
    }
    // The power may go as well, before anybody looks.
    const bool cut = random_() % 3 == 0;
    card_->end_process(random_(), cut ? Survival::any : Survival::kept);
    finish();
  }

  // It says what failed, and in which file.
  bool is_clear(const Status& status) const {
    if (result_.hits.empty()) return false;
    const FaultEvent& hit = result_.hits.back();
    const bool reading = hit.kind == FaultEvent::Kind::read;
    const Code code = status.code();
    bool right = code == Code::io;
    if (fault_ == Fault::full) right = code == Code::disk_full;
    if (fault_ == Fault::flip_in_flight) right = code == Code::corrupt;
    // What cannot be read while a checkpoint is verified is damaged.
    if (fault_ == Fault::read_error && reading) right = right || code == Code::corrupt;
    // Of several owners each may have met a full card, and the last one is not the one who says so.
    if (fault_ == Fault::full && job_.owners > 1) return right;
    return right && status.message().find(hit.name) != std::string_view::npos;
  }

  // Stopped somewhere, with a checkpoint, if there is one; false: the run was over before.
  bool stop_somewhere() {
    ProcessEnd end;
    if (random_() % 2 == 0) {
      end = process({}, 1 + random_() % probe_.polls);
      card_->end_process(random_(), Survival::kept);
    } else {
      FaultPlan plan;
      plan.seed = random_();
      plan.cut_at = 1 + random_() % probe_.steps.size();
      plan.survival = Survival::any;
      end = process(plan);
      card_->end_process(plan.seed, plan.survival);
    }
    return !end.decided();
  }

  void at_rest() {
    if (probe_.steps.empty() || !stop_somewhere()) return;
    const u32 which = index_ + seed_;
    Snapshot before;
    if (fault_ == Fault::misplaced && which % 4 == 2) {
      before = files_of_checkpoint(*card_, true);
      if (!stop_somewhere()) return;
    }
    result_.hits.clear();
    const Damage damage = fault_ == Fault::flip_at_rest ? flip_bit(*card_, which, random_)
                          : fault_ == Fault::roots      ? damage_roots(*card_, which, random_)
                                                   : misplace_block(*card_, which, before, random_);
    if (damage.file.empty() || over()) return;
    result_.damaged = damage.file;
    const ProcessEnd end = process({});
    if (end.decided()) return conclude(end);
    const bool names = end.status.message().find(damage.file) != std::string_view::npos;
    const bool roots = end.status.message().find("root.") != std::string_view::npos;
    if (end.status.code() != Code::corrupt || !(names || (fault_ == Fault::roots && roots))) {
      return fail(Ending::unclear, end.status.c_str());
    }
    if (damage.covered) return fail(Ending::lost, end.status.c_str());
    result_.ending = Ending::refused;
  }

  const Job& job_;
  const Probe& probe_;
  Fault fault_;
  u32 index_;
  u32 seed_;
  Random random_;
  std::unique_ptr<Card> card_;
  u32 life_ = 0;
  u64 committed_ = 0;  // sequence of the last checkpoint that a process knew to be durable
  bool fell_back_ = false;
  bool resumed_ = false;
  bool again_ = false;
  CaseResult result_;
};

}  // namespace

CaseResult run_case(const Job& job, const Probe& probe, Fault fault, u32 index, u32 seed) {
  return Case(job, probe, fault, index, seed).run();
}

}  // namespace xmc_test
