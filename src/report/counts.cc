#include "report/counts.h"

#include "xmc/text.h"

namespace xmc {

namespace {

void write_wide(Row& out, const WideCount& value, const char* many) {
  if (value.over) out.add("at least ");
  FixedText<WideCount::kDecimalText + 32> text;
  value.write(text, true);
  text.add(' ').add(many);
  out.whole(text.view());
}

void write_either(Row& out, u64 figure, const WideCount& large, const char* one, const char* many) {
  if (large.is_zero() && figure == kMostCounted) {
    out.add("at least ");
    write_count(out, figure, one, many);
  } else if (large.is_zero()) {
    write_count(out, figure, one, many);
  } else {
    write_wide(out, large, many);
  }
}

// A reader of JSON is not expected to know numbers beyond 64 bits, but a string is one for all.
void write_large(JsonWriter& json, std::string_view name, const WideCount& value) {
  if (value.is_zero()) return;
  FixedText<32> key;
  key.add(name).add(value.over ? "_at_least" : "_exact");
  FixedText<WideCount::kDecimalText> text;
  value.write(text, false);
  json.key(key.view()).string(text.view());
}

}  // namespace

void write_count(Row& out, u64 value, const char* one, const char* many) {
  FixedText<64> text;
  text.grouped(value).add(' ').add(value == 1 ? one : many);
  out.whole(text.view());
}

bool has_states(const SearchOutcome& outcome) {
  return outcome.stats.states != kNoFigure || !outcome.large.states.is_zero();
}

void write_counts(Row& out, const SearchOutcome& outcome) {
  const SearchStats& stats = outcome.stats;
  const LargeFigures& large = outcome.large;
  if (has_states(outcome)) {
    write_either(out, stats.states, large.states, "state", "states");
  } else {
    out.add("states not counted");
  }
  if (stats.transitions != kNoFigure || !large.transitions.is_zero()) {
    out.add(", ");
    write_either(out, stats.transitions, large.transitions, "transition", "transitions");
  }
  if (stats.levels != kNoFigure) {
    out.add(", ");
    write_count(out, stats.levels, "level", "levels");
  }
  const bool deadlocks = stats.deadlocks != kNoFigure && stats.deadlocks != 0;
  if (deadlocks || !large.deadlocks.is_zero()) {
    out.add(", ");
    write_either(out, stats.deadlocks, large.deadlocks, "deadlock state", "deadlock states");
  }
  // Of a search that a violation ends there is one.
  if (stats.bad_states != kNoFigure && stats.bad_states > 1) {
    out.add(", ");
    write_count(out, stats.bad_states, "violating state", "violating states");
  }
}

void write_large(JsonWriter& json, const LargeFigures& large) {
  write_large(json, "states", large.states);
  write_large(json, "transitions", large.transitions);
  write_large(json, "deadlocks", large.deadlocks);
}

}  // namespace xmc
