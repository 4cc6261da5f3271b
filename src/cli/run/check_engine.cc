// Which engine a check uses, and whether that can do what is asked.
#include <algorithm>

#include "cli/run/check_run.h"
#include "engine/diagram/diagram_engine.h"
#include "engine/nested/ioemc.h"
#include "engine/registry.h"
#include "xmc/bytes.h"

namespace xmc {

Status CheckRun::find_engine_by_name() {
  const Options& options = session_.options;
  XMC_LET(engine_, find_engine(options.text(Opt::engine)));
  why_ = "as asked";
  explicit_ = options.text(Opt::engine) == kExplicitTraits.name;
  auto_engine_ = explicit_ || options.text(Opt::engine) == "auto";
  return check_engine_takes(*engine_, options.given(Opt::table), options.given(Opt::signature));
}

// The engine of `auto`.
void CheckRun::take_choice(bool files) {
  const EngineChoice choice = choose_engine(model_.model, files, !explicit_);
  engine_ = choice.engine;
  why_ = choice.why;
}

// Where the engine of `auto` does not fit. A search of a product by depth needs the least memory
// beside its states; without files they all stay in memory.
Status CheckRun::take_smaller_engine(const SearchOptions& search) {
  const u64 room = round_down(budget_.arena().free_bytes(), kPageBytes);
  u64 least = engine_->minimum_bytes(model_.model, search);
  if (least <= room) return {};
  if (model_.model.buchi && search.folder != nullptr && !session_.options.given(Opt::minimal)) {
    XMC_LET(engine_, find_engine(IoemcEngine::kTraits.name));
    why_ = "--ram is too small for the edges between the states";
    checkpoints_.set_engine(engine_->name());
    least = std::min(least, engine_->minimum_bytes(model_.model, search));
    if (least <= room) return {};
  }
  take_choice(false);
  why_ = "--ram is too small for the buffers of files";
  session_.report.ram_for_files = budget_.ram_with(least - room);
  return check_minimal();
}

// A built checker assumes what it was built with, unless it is told what to check.
Status CheckRun::take_fairness() {
  const NativeModel* const native = session_.native;
  if (native == nullptr || native->fairness == nullptr) return {};
  for (const Opt option : kGoals) {
    if (session_.options.given(option)) return {};
  }
  // As an option of the run, which a resumed one has again.
  return session_.options.restore(info_of(Opt::fairness).name, native->fairness);
}

Status CheckRun::check_liveness() const { return check_engine_liveness(*engine_, model_.model); }

// The engine may change when there is no place for files, or little memory.
Status CheckRun::check_minimal() const {
  if (!session_.options.given(Opt::minimal)) return {};
  if (!engine_->traits().finds_shortest_paths) {
    return Status::fail(Code::unsupported,
                        "--minimal: engine '%s' does not search by levels, so nothing that it "
                        "finds is proved to be shortest; use --engine auto",
                        engine_->name());
  }
  if (model_.fair) {
    return Status::fail(Code::unsupported,
                        "--minimal: with --fairness a shortest lasso of the product need not be a "
                        "shortest fair run; leave one of them out");
  }
  if (model_.model.buchi && (model_.map.map != nullptr || steps_.on)) {
    return Status::fail(Code::unsupported,
                        "--minimal: a shortest lasso of the reduced product need not be a shortest "
                        "one of the model; use --reduce off");
  }
  if (!model_.model.buchi || engine_->traits().finds_shortest_lassos) return {};
  return Status::fail(Code::unsupported,
                      "--minimal: engine '%s' does not prove that a lasso is shortest; use "
                      "--engine min-cex, or auto with a work directory and a larger --ram",
                      engine_->name());
}

}  // namespace xmc
