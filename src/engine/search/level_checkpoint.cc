#include "engine/search/level_checkpoint.h"

#include "xmc/text.h"

namespace xmc {

namespace {

using StatName = FixedText<64>;

const char* stat_line(StatName& text, const char* name) {
  text.add("stat.").add(name);
  return text.c_str();
}

}  // namespace

Status restore_number(const Manifest& manifest, const char* name, u64& value) {
  XMC_LET(const u64 number, manifest.number(name));
  value = number;
  return {};
}

// A figure that the run does not have has no line.
void save_stats(Manifest& manifest, const SearchStats& stats) {
  const auto save = [&](const char* name, u64 value) {
    StatName line;
    if (value != kNoFigure) manifest.add(stat_line(line, name), value);
  };
#define XMC_STAT(name, help) save(#name, stats.name);
#include "xmc/stats.def"
#undef XMC_STAT
}

// Memory is that of this process, which may have less of it.
Status restore_stats(const Manifest& manifest, SearchStats& stats) {
  const u64 ram_used = stats.ram_used;
  const auto restore = [&](const char* name, u64& value) -> Status {
    StatName line;
    if (!manifest.has(stat_line(line, name))) return {};
    return restore_number(manifest, line.c_str(), value);
  };
#define XMC_STAT(name, help) XMC_TRY(restore(#name, stats.name));
#include "xmc/stats.def"
#undef XMC_STAT
  stats.ram_used = ram_used;
  return {};
}

void save_violation(Manifest& manifest, const SearchOutcome& outcome,
                    std::span<const Word> culprit) {
  manifest.add("violation", static_cast<u64>(outcome.violation));
  manifest.add("violation-depth", outcome.prefix_steps);
  manifest.add("violation-predicate", outcome.predicate);
  manifest.add("violation-error", outcome.error_label);
  manifest.add_words("violation-state", culprit);
}

Status restore_violation(const Manifest& manifest, SearchOutcome& outcome,
                         std::span<Word> culprit) {
  if (!manifest.has("violation")) return {};
  u64 kind = 0;
  u64 predicate = 0;
  u64 label = 0;
  XMC_TRY(restore_number(manifest, "violation", kind));
  XMC_TRY(restore_number(manifest, "violation-depth", outcome.prefix_steps));
  XMC_TRY(restore_number(manifest, "violation-predicate", predicate));
  XMC_TRY(restore_number(manifest, "violation-error", label));
  outcome.violation = static_cast<Violation>(kind);
  outcome.predicate = static_cast<u32>(predicate);
  outcome.error_label = static_cast<u32>(label);
  return manifest.words("violation-state", culprit);
}

void save_candidate(Manifest& manifest, const Candidate& candidate, u32 words) {
  manifest.add("found", static_cast<u64>(candidate.violation));
  manifest.add("found-predicate", candidate.predicate);
  manifest.add("found-error", candidate.error_label);
  manifest.add_words("found-state", {candidate.state, words});
}

Status restore_candidate(const Manifest& manifest, Candidate& candidate, u32 words) {
  candidate = Candidate();
  if (!manifest.has("found")) return {};
  u64 kind = 0;
  u64 predicate = 0;
  u64 label = 0;
  XMC_TRY(restore_number(manifest, "found", kind));
  XMC_TRY(restore_number(manifest, "found-predicate", predicate));
  XMC_TRY(restore_number(manifest, "found-error", label));
  candidate.found = true;
  candidate.violation = static_cast<Violation>(kind);
  candidate.predicate = static_cast<u32>(predicate);
  candidate.error_label = static_cast<u32>(label);
  return manifest.words("found-state", {candidate.state, words});
}

void save_key_file(Manifest& manifest, const KeyFile& file) {
  manifest.add_file(file.name(), file.bytes(), file.chain());
}

Status find_file(const Manifest& manifest, const char* name, Manifest::File& file) {
  for (u32 i = 0; manifest.file(i, file); ++i) {
    if (file.name == name) return {};
  }
  return Status::fail(Code::corrupt, "the checkpoint does not know the file '%s'", name);
}

Status reopen_key_file(const Manifest& manifest, KeyFile& file, Device* device, const char* name,
                       Purpose purpose, u32 key_words, std::span<u8> buffer) {
  Manifest::File entry;
  XMC_TRY(find_file(manifest, name, entry));
  if (device->size_bytes() < entry.bytes) {
    return Status::fail(Code::corrupt, "the file '%s' has %llu bytes, the checkpoint wants %llu",
                        name, wide(device->size_bytes()), wide(entry.bytes));
  }
  return file.reopen(device, name, purpose, key_words, buffer, entry.bytes, entry.chain);
}

}  // namespace xmc
