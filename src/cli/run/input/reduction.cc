#include "cli/run/input/reduction.h"

#include "xmc/check.h"

namespace xmc {

namespace {

constexpr std::string_view kOff = "off";

bool stutters(const Options& options) { return options.text(Opt::deadlock) == "stuttering"; }

// Who counts states, or bounds their number or depth, wants those of the model as written. A
// shortest lasso of the reduced model need not be one there, nor a step that changes nothing.
bool wants_whole(const Options& options, const EngineTraits& engine) {
  for (const Opt option : {Opt::full, Opt::levels, Opt::states, Opt::depth, Opt::minimal}) {
    if (options.given(option)) return true;
  }
  return stutters(options) || engine.finds_shortest_lassos;
}

}  // namespace

ReductionChoice reduction_choice(std::string_view word) {
  if (word == kOff) return {};
  if (word == "dead") return {.dead = true};
  if (word == "steps") return {.steps = true};
  if (word == "all") return {.dead = true, .steps = true};
  XMC_CHECK(word == "auto");
  return {.dead = true, .steps = true, .where_it_pays = true};
}

Status settle_reduction(Options& options, const EngineTraits& engine, const char* native,
                        bool from_work) {
  // A run that does not say was begun without.
  const bool off = from_work || wants_whole(options, engine);
  std::string_view word = options.text(Opt::reduce);
  if (!options.given(Opt::reduce) && native != nullptr) word = native;
  if (!options.given(Opt::reduce) && off) word = kOff;
  if (!options.given(Opt::reduce)) XMC_TRY(options.restore(info_of(Opt::reduce).name, word));
  if (word != kOff && stutters(options)) {
    return Status::fail(
        Code::unsupported,
        "--reduce: a step that changes only what nobody reads would be a stuttering "
        "one; use --reduce off with --deadlock stuttering");
  }
  return {};
}

void ask_reduction(const Options& options, LoadRequest& request) {
  const ReductionChoice choice = reduction_choice(options.text(Opt::reduce));
  request.dead_variables = choice.dead;
  request.step_tables = choice.steps;
  request.reduce_if_room = choice.where_it_pays;
  request.reduced = choice.dead || choice.steps;
}

}  // namespace xmc
