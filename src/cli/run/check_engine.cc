// Which engine a check uses, and whether that can do what is asked.
#include "cli/run/check_run.h"
#include "engine/registry.h"

namespace xmc {

Status CheckRun::find_engine_by_name() {
  const Options& options = session_.options;
  XMC_LET(engine_, find_engine(options.text(Opt::engine)));
  why_ = "as asked";
  auto_engine_ = options.text(Opt::engine) == "auto";
  return check_engine_takes(*engine_, options.given(Opt::table), options.given(Opt::signature));
}

// The engine of `auto`.
void CheckRun::take_choice(bool files) {
  const EngineChoice choice = choose_engine(model_.model, files);
  engine_ = choice.engine;
  why_ = choice.why;
}

// The engine may change when there is no place for files, or little memory.
Status CheckRun::check_minimal() const {
  if (!session_.options.given(Opt::minimal)) return {};
  if (!engine_->traits().finds_shortest_paths) {
    return Status::fail(Code::unsupported,
                        "--minimal: engine '%s' does not search by levels, so nothing that it "
                        "finds is proved to be shortest; use --engine auto",
                        engine_->name());
  }
  if (!model_.model.buchi || engine_->traits().finds_shortest_lassos) return {};
  return Status::fail(Code::unsupported,
                      "--minimal: engine '%s' does not prove that a lasso is shortest; use "
                      "--engine min-cex, or auto with a work directory and a larger --ram",
                      engine_->name());
}

}  // namespace xmc
