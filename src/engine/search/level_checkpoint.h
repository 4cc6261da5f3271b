// Lines of a checkpoint that engines have in common: counters, a violation that a --full search
// has found, key files.
#pragma once

#include <span>

#include "engine/search/agreement.h"
#include "store/checkpoint/lines.h"
#include "store/files/key_file.h"
#include "xmc/engine.h"

namespace xmc {

// A figure that the run does not have has no line. Memory is that of this process, which may have
// less of it than the one that wrote the lines.
void lines(Lines& io, SearchStats& stats);

// A violation and the state where it is, if the outcome has one.
void lines(Lines& io, SearchOutcome& outcome, std::span<Word> culprit);
// The same for what one of several owners has found in a level that is not through.
void lines(Lines& io, Candidate& candidate, u32 words);

template <class File>
FileMark mark_of(const File& file) {
  return {file.bytes(), file.chain()};
}
// The file as the checkpoint knows it; what was written later is cut off.
Status reopen_key_file(const FileMark& mark, KeyFile& file, Device* device, const char* name,
                       Purpose purpose, u32 key_words, std::span<u8> buffer);

}  // namespace xmc
