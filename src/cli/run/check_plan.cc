// A run up to its seal: what is checked, by which engine, and what memory is carved for it.
#include "cli/run/check_run.h"
#include "cli/run/input/reduction.h"
#include "cli/run/output/trace_files.h"
#include "engine/measure/sample.h"
#include "engine/registry.h"
#include "exec/models/compare.h"
#include "exec/models/symmetry.h"
#include "ir/ir.h"
#include "platform/clock.h"
#include "platform/cold_code.h"
#include "platform/workers.h"
#include "xmc/bytes.h"

namespace xmc {

namespace {

CycleOptions cycle_options(const Options& options) {
  CycleOptions cycles;
  const std::string_view index = options.text(Opt::index);
  cycles.index = index == "rank"  ? IndexKind::rank
                 : index == "phf" ? IndexKind::phf
                                  : IndexKind::automatic;
  const std::string_view edges = options.text(Opt::edges);
  cycles.edges = edges == "on" ? EdgeUse::on : edges == "off" ? EdgeUse::off : EdgeUse::automatic;
  cycles.minimal = options.given(Opt::minimal);
  cycles.gastin_moro = options.text(Opt::method) == "gastin-moro";
  cycles.phf_in_ram = options.text(Opt::phf) == "ram";
  cycles.cmph = options.text(Opt::phf_codec) == "cmph";
  if (options.given(Opt::phf_cache)) cycles.phf_cache = options.number(Opt::phf_cache);
  const std::string_view old_states = options.text(Opt::dd);
  cycles.old_states = old_states == "lhs"     ? OldStates::linear
                      : old_states == "tiers" ? OldStates::tiers
                                              : OldStates::diagram;
  if (options.given(Opt::rho1)) cycles.rho1 = static_cast<u32>(options.number(Opt::rho1));
  if (options.given(Opt::rho2)) cycles.rho2 = static_cast<u32>(options.number(Opt::rho2));
  return cycles;
}

}  // namespace

Status CheckRun::prepare() {
  const Options& options = session_.options;
  XMC_TRY(from_work_ ? find_run() : find_engine_by_name());
  XMC_TRY(session_.open_json_stream());
  XMC_TRY(check_trace_names(options));
  watch_.start();
  XMC_TRY(budget_.open(session_, engine_bytes() + cold_code().size() + unwind_tables().size()));
  if (from_work_) XMC_TRY(restore_run());
  XMC_TRY(load_input());
  session_.report.engine = engine_->name();
  XMC_TRY(plan());
  session_.report.engine = engine_->name();
  session_.report.engine_is_choice = auto_engine_;
  if (!options.given(Opt::quiet) && !planning_)
    print_plan(session_.err(), options.given(Opt::verbose));
  if (!options.given(Opt::quiet)) note_drawback();
  static_cast<void>(session_.err().flush());
  drop_cold_code();
  return {};
}

void CheckRun::note_drawback() {
  if (!engine_->traits().keeps_files || (!planning_ && folder_ == nullptr)) return;
  const char* const place = place_of_files();
  const char* const name = file_system_name(place);
  const char* const drawback = drawback_of(name);
  if (place[0] == '\0' || drawback == nullptr) return;
  session_.err().add("note      ").add(work_.path()).add(" is on ").add(name).add(": ");
  session_.err().add(drawback).add('\n');
}

// Nothing is thrown, no other command is called, and only one front end. An engine that was asked
// for takes less than the largest one.
Status CheckRun::give_unused_code() {
  const Language* own = nullptr;
  if (session_.native != nullptr) {
    own = language_by_name(session_.native->language);
  } else if (from_work_) {
    own = language_of_run();
  } else {
    session_.report.file = session_.options.operand();
    XMC_TRY(find_language(session_.options, session_.options.operand(), own));
  }
  const auto give = [&](std::span<u8> pages) {
    keep_apart(pages);
    budget_.give(pages.size());
  };
  if (!auto_engine_) budget_.give(unused_engine_bytes());
  give(unwind_tables());
  give(code_of_commands());
  cold_given_ = code_of_commands().size();
  for (const Language& language : languages()) {
    if (&language == own) continue;
    give(code_of_language(language.name));
    cold_given_ += code_of_language(language.name).size();
  }
  return {};
}

Status CheckRun::load_input() {
  XMC_TRY(give_unused_code());
  Arena& arena = budget_.arena();
  ModelInput input;
  XMC_TRY(from_work_ ? read_saved_model(input) : read_model(session_, arena, input));
  if (!from_work_) XMC_TRY(take_fairness());
  if (!from_work_) XMC_TRY(measure_memory());
  const NativeModel* const native = session_.native;
  const char* const of_code = native == nullptr ? nullptr : native->reduce;
  XMC_TRY(settle_reduction(session_.options, engine_->traits(), of_code, from_work_));
  XMC_TRY(load(session_, load_request(input), arena, model_));
  if (auto_engine_) take_choice(true);
  goal_ = goal_of(session_.options, model_);
  XMC_TRY(decide_steps());
  if (resumed_ != nullptr) XMC_TRY(check_same_program());
  session_.report.property_kind = goal_.kind;
  session_.report.property_text = goal_.text;
  XMC_TRY(check_minimal());
  XMC_TRY(check_liveness());
  if (!from_work_) XMC_TRY(open_work(input));
  input.release(arena);
  return check_minimal();
}

SearchOptions CheckRun::search_options() {
  const Options& options = session_.options;
  RunReport& report = session_.report;
  SearchOptions search;
  search.deadlock = goal_.deadlock;
  search.errors_violate = error_rule(options.text(Opt::errors)) == ErrorRule::report;
  search.full = options.given(Opt::full);
  if (options.given(Opt::collisions))
    search.collision_percent = static_cast<u32>(options.number(Opt::collisions));
  search.chained = options.text(Opt::table) == "chained";
  search.signature_bits = static_cast<u32>(options.number(Opt::signature));
  search.partial_lengths = static_cast<u32>(options.number(Opt::partial));
  search.training = options.given(Opt::training);
  search.breadth_first = options.text(Opt::strategy) == "bfs";
  search.cycles = cycle_options(options);
  search.now_ns = &monotonic_ns;
  if (threads_.count > 1) {
    search.parallel = &workers();
    search.executors = threads_.executors;
  }
  search.owners = {threads_.owners, threads_.owner_count};
  if (folder_ != nullptr) {
    search.folder = folder_;
    search.checkpoints = &checkpoints_;
    if (engine_->traits().wants_probe) search.device = &device_;
  }
  search.resume = resumed_;
  search.divide_anew = shared_.divides_anew();
  search.parts = parts_;
  search.shares = threads_.shares;
  search.levels = options.given(Opt::levels);
  if (options.given(Opt::states))
    report.state_limit = search.state_limit = options.number(Opt::states);
  if (options.given(Opt::depth))
    report.depth_limit = search.depth_limit = options.number(Opt::depth);
  if (options.given(Opt::time)) report.time_limit_s = options.number(Opt::time);
  if (options.given(Opt::until)) report.until = options.text(Opt::until);
  if (options.given(Opt::watts)) report.milliwatts = options.number(Opt::watts);
  if (options.given(Opt::endurance)) report.endurance = options.number(Opt::endurance);
  const SpaceLimits& space = watch_.space();
  report.disk_limit = space.disk_limit();
  report.disk_reserve = space.disk_reserve();
  report.wear_limit = space.wear_limit();
  return search;
}

Status CheckRun::plan() {
  Arena& arena = budget_.arena();
  XMC_TRY(open_folder());
  if (auto_engine_) budget_.give(unused_engine_bytes());
  drop_cold_code();
  budget_.give(cold_code().size() - cold_given_);
  if (session_.options.given(Opt::paranoid)) {
    make_compared(model_.model, model_.twin, arena, model_.model);
  }
  if (const ir::Symmetry* const symmetry = ir::symmetry_of(*model_.program)) {
    make_symmetric(*symmetry, model_.model, arena, model_.model);
  }
  leave_steps_out();
  shown_.replay.plan(model_.judge, arena);
  if (model_.fair) shown_.fair_cycle.plan(model_.text, model_.whole->property, arena);
  if (wants_chart(session_.options))
    shown_.chart = plan_chart(model_.text, model_.judge.state_words, arena);
  plan_page();
  if (folder_ != nullptr) plan_checkpoints();
  XMC_TRY(plan_parts());
  ProcessPeers* const peers = session_.surroundings.peers;
  XMC_TRY(peers != nullptr && peers->count() > 1 ? plan_peers(*peers) : plan_threads());
  const SearchOptions search = search_options();
  if (auto_engine_) XMC_TRY(take_smaller_engine(search));
  if (planning_ && !model_.model.empty) take_forecast_sample(search);
  shown_.path.plan(*engine_, model_.model, model_.map, arena);
  free_before_engine_ = arena.free_bytes();
  if (const u64 least = engine_->minimum_bytes(model_.model, search); least > free_before_engine_) {
    return too_small(budget_.ram_limit(), arena, "the search", least);
  }
  XMC_TRY(engine_->plan(model_.model, search, arena));
  arena.seal();
  return {};
}

}  // namespace xmc
