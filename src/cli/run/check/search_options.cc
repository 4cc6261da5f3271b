#include "cli/run/check/search_options.h"

#include "cli/run/input/model_input.h"
#include "platform/clock.h"

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

SearchOptions search_options(const Options& options, DeadlockRule deadlock) {
  SearchOptions search;
  search.deadlock = deadlock;
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
  search.levels = options.given(Opt::levels);
  if (options.given(Opt::states)) search.state_limit = options.number(Opt::states);
  if (options.given(Opt::depth)) search.depth_limit = options.number(Opt::depth);
  return search;
}

void note_limits(const Options& options, const SpaceLimits& space, RunReport& report) {
  if (options.given(Opt::states)) report.state_limit = options.number(Opt::states);
  if (options.given(Opt::depth)) report.depth_limit = options.number(Opt::depth);
  if (options.given(Opt::time)) report.time_limit_s = options.number(Opt::time);
  if (options.given(Opt::until)) report.until = options.text(Opt::until);
  if (options.given(Opt::watts)) report.milliwatts = options.number(Opt::watts);
  if (options.given(Opt::endurance)) report.endurance = options.number(Opt::endurance);
  report.disk_limit = space.disk_limit();
  report.disk_reserve = space.disk_reserve();
  report.wear_limit = space.wear_limit();
}

}  // namespace xmc
