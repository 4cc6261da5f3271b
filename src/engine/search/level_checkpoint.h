// Lines of a checkpoint that engines have in common: counters, a violation that a --full search
// has found, key files.
#pragma once

#include <span>

#include "engine/search/agreement.h"
#include "store/checkpoint/manifest.h"
#include "store/files/key_file.h"
#include "xmc/engine.h"

namespace xmc {

void save_stats(Manifest& manifest, const SearchStats& stats);
Status restore_stats(const Manifest& manifest, SearchStats& stats);

void save_violation(Manifest& manifest, const SearchOutcome& outcome,
                    std::span<const Word> culprit);
Status restore_violation(const Manifest& manifest, SearchOutcome& outcome, std::span<Word> culprit);

// The same for what one of several owners has found in a level that is not through.
void save_candidate(Manifest& manifest, const Candidate& candidate, u32 words);
Status restore_candidate(const Manifest& manifest, Candidate& candidate, u32 words);

void save_key_file(Manifest& manifest, const KeyFile& file);
// The file as the checkpoint knows it; what was written later is cut off.
Status reopen_key_file(const Manifest& manifest, KeyFile& file, Device* device, const char* name,
                       Purpose purpose, u32 key_words, std::span<u8> buffer);

Status restore_number(const Manifest& manifest, const char* name, u64& value);
// A file's line; Code::corrupt when there is none.
Status find_file(const Manifest& manifest, const char* name, Manifest::File& file);

}  // namespace xmc
