#include "cli/run/check/engine_use.h"

#include <algorithm>

#include "engine/diagram/diagram_engine.h"
#include "engine/nested/ioemc.h"
#include "engine/registry.h"
#include "xmc/bytes.h"

namespace xmc {

Status find_engine_of(const Options& options, EngineUse& use) {
  XMC_LET(use.engine, find_engine(options.text(Opt::engine)));
  use.why = "as asked";
  use.only_states = options.text(Opt::engine) == kExplicitTraits.name;
  use.automatic = use.only_states || options.text(Opt::engine) == "auto";
  return check_engine_takes(*use.engine, options.given(Opt::table), options.given(Opt::signature));
}

EngineUse chosen_for(const EngineUse& use, const Model& model, bool files) {
  const EngineChoice choice = choose_engine(model, files, !use.only_states);
  return {choice.engine, choice.why, use.automatic, use.only_states};
}

// A search of a product by depth needs the least memory beside its states; without files they all
// stay in memory.
Status take_smaller_engine(Session& session, Budget& budget, const LoadedModel& model,
                           const SearchOptions& search, bool steps_left_out, EngineUse& use) {
  const u64 room = round_down(budget.arena().free_bytes(), kPageBytes);
  u64 least = use.engine->minimum_bytes(model.model, search);
  if (least <= room) return {};
  if (model.model.buchi && search.folder != nullptr && !session.options.given(Opt::minimal)) {
    XMC_LET(use.engine, find_engine(IoemcEngine::kTraits.name));
    use.why = "--ram is too small for the edges between the states";
    least = std::min(least, use.engine->minimum_bytes(model.model, search));
    if (least <= room) return {};
  }
  // Without files nobody proves that a lasso is shortest: not what was asked for, but memory is
  // missing, by so much.
  if (model.model.buchi && session.options.given(Opt::minimal))
    return too_small(budget.ram_limit(), budget.arena(), "the search for a shortest lasso", least);
  use = chosen_for(use, model.model, false);
  use.why = "--ram is too small for the buffers of files";
  session.report.ram_for_files = budget.ram_with(least - room);
  return check_minimal(session.options, *use.engine, model, steps_left_out);
}

Status check_minimal(const Options& options, const Engine& engine, const LoadedModel& model,
                     bool steps_left_out) {
  if (!options.given(Opt::minimal)) return {};
  if (!engine.traits().finds_shortest_paths) {
    return Status::fail(Code::unsupported,
                        "--minimal: engine '%s' does not search by levels, so nothing that it "
                        "finds is proved to be shortest; use --engine auto",
                        engine.name());
  }
  if (model.fair) {
    return Status::fail(Code::unsupported,
                        "--minimal: with --fairness a shortest lasso of the product need not be a "
                        "shortest fair run; leave one of them out");
  }
  if (model.model.buchi && (model.map.map != nullptr || steps_left_out)) {
    return Status::fail(Code::unsupported,
                        "--minimal: a shortest lasso of the reduced product need not be a shortest "
                        "one of the model; use --reduce off");
  }
  if (!model.model.buchi || engine.traits().finds_shortest_lassos) return {};
  return Status::fail(Code::unsupported,
                      "--minimal: engine '%s' does not prove that a lasso is shortest; use "
                      "--engine min-cex, or auto with a work directory and a larger --ram",
                      engine.name());
}

}  // namespace xmc
