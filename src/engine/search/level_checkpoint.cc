#include "engine/search/level_checkpoint.h"

#include "xmc/text.h"

namespace xmc {

namespace {

void figure_line(Lines& io, const char* name, u64& value) {
  FixedText<64> line;
  line.add("stat.").add(name);
  if (io.there(line.c_str(), value != kNoFigure)) io.number(line.c_str(), value);
}

}  // namespace

void lines(Lines& io, SearchStats& stats) {
  const u64 ram_used = stats.ram_used;
#define XMC_STAT(name, help) figure_line(io, #name, stats.name);
#include "xmc/stats.def"
#undef XMC_STAT
  if (io.reads()) stats.ram_used = ram_used;
}

void lines(Lines& io, SearchOutcome& outcome, std::span<Word> culprit) {
  if (!io.there("violation", outcome.violation != Violation::none)) return;
  io.choice("violation", outcome.violation, Violation::none, Violation::liveness);
  io.number("violation-depth", outcome.prefix_steps);
  io.number("violation-predicate", outcome.predicate);
  io.number("violation-error", outcome.error_label);
  io.words("violation-state", culprit);
}

void lines(Lines& io, Candidate& candidate, u32 words) {
  if (io.reads()) candidate = Candidate();
  candidate.found = io.there("found", candidate.found);
  if (!candidate.found) return;
  io.choice("found", candidate.violation, Violation::none, Violation::liveness);
  io.number("found-predicate", candidate.predicate);
  io.number("found-error", candidate.error_label);
  io.words("found-state", {candidate.state, words});
}

Status reopen_key_file(const FileMark& mark, KeyFile& file, Device* device, const char* name,
                       Purpose purpose, u32 key_words, std::span<u8> buffer) {
  if (device->size_bytes() < mark.bytes) {
    return Status::fail(Code::corrupt, "the file '%s' has %llu bytes, the checkpoint wants %llu",
                        name, wide(device->size_bytes()), wide(mark.bytes));
  }
  return file.reopen(device, name, purpose, key_words, buffer, mark.bytes, mark.chain);
}

}  // namespace xmc
