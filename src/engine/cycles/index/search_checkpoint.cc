#include "engine/cycles/index/search_checkpoint.h"

#include "engine/search/file_names.h"
#include "engine/search/product.h"

namespace xmc {

bool is_named(const Product& product) {
  return product.search_checkpoint != nullptr && product.search_checkpoint->named;
}

void SearchCheckpoint::forget_search() {
  phase = Phase::none;
  accepting = bits = wave.stamp = {};
  wave.under_way = wave.closed = false;
  ++number;
  ++stack_number;
  ++wave.number;
}

void SearchCheckpoint::forget_index() {
  forget_search();
  index = Index::none;
  hash = rank = near.stamp = {};
  near.words = 0;
  part = {};
  ++hash_number;
}

Status SearchCheckpoint::next_bits(Folder& folder) {
  if (++bits_number < kRemovedBehind) return {};
  return folder.remove(FileName(kBitsFile, bits_number - kRemovedBehind).c_str());
}

// Checkpoints of older versions have no such file: then the hash is not used.
void SearchCheckpoint::neighbour_lines(Lines& io) {
  io.number("search-neighbours", near.choice);
  if (near.choice == 0 || !io.there("search-near-words", true)) return;
  io.number("search-near-words", near.words);
  io.file(FileName(kHashNearFile, hash_number).c_str(), near.stamp);
}

void SearchCheckpoint::part_lines(Lines& io) {
  phf::BuildCheckpoint& b = part.build;
  io.row("search-part", part.seed, part.page_bytes, part.codec, part.block_bytes, part.memory,
         b.writing, b.keys, b.runs, b.spill_runs, b.spilled, b.pages, b.placed);
  neighbour_lines(io);
  io.file(FileName(kBitsFile, bits_number).c_str(), bits);
  if (io.reads() ? b.runs + b.spill_runs > 0 : b.run_bytes > 0) {
    io.plain(FileName(kHashRunsFile, hash_number).c_str(), part.runs);
    if (io.reads()) b.run_bytes = part.runs.bytes;
  }
  if (b.pages > 0) io.plain(FileName(kHashFile, hash_number).c_str(), hash);
}

void SearchCheckpoint::index_lines(Lines& io) {
  if (index == Index::hash) {
    neighbour_lines(io);
    io.plain(FileName(kHashFile, hash_number).c_str(), hash);
  }
  if (index == Index::part) part_lines(io);
  if (index == Index::rank || index == Index::rank_part) io.number("search-rank-words", rank_words);
  if (index == Index::rank) io.file(FileName(kRankFile, hash_number).c_str(), rank);
  if (index == Index::rank_part) io.file(FileName(kBitsFile, bits_number).c_str(), bits);
}

// Of older versions the best lasso has no place, and what was open is unknown: they begin again
// with the first one that was.
void SearchCheckpoint::lasso_lines(Lines& io, u32 state_words) {
  io.number("search-bound", lasso.bound);
  io.number("search-total", lasso.total);
  io.number_if_there("search-place", lasso.place);
  if (io.there("search-open", true)) io.words("search-open", lasso.open);
  io.words("search-best", {lasso.best, state_words});
}

void SearchCheckpoint::stack_lines(Lines& io) {
  io.number("search-entry", entry_words);
  io.row("search-stack-blocks", stack.blocks, stack.top, stack.block_bytes);
  io.number("search-window", stack.window_words);
  FileMark mark = {stack.bytes, stack.chain};
  io.file(FileName(kStackFile, stack_number).c_str(), mark);
  stack.bytes = mark.bytes;
  stack.chain = mark.chain;
}

void SearchCheckpoint::wave_lines(Lines& io) {
  wave.under_way = io.there("search-wave-next", wave.under_way);
  if (!wave.under_way) {
    if (io.reads()) ++wave.number;  // the checkpoint before may name it
    return;
  }
  io.number("search-wave-next", wave.next);
  io.mark("search-closed", wave.closed);
  io.file(FileName(kWaveFile, wave.number).c_str(), wave.stamp);
}

void SearchCheckpoint::lines(Lines& io, u32 state_words) {
  if (io.reads()) *this = {};
  named = io.there("search-phase", named);
  if (!named) return;
  io.choice("search-phase", phase, Phase::none, Phase::lasso);
  io.choice("search-index", index, Index::none, Index::rank_part);
  io.number("search-states", states);
  io.number("search-hash", hash_number);
  io.number("search-number", number);
  io.number("search-bits", bits_number);
  io.number("search-wave", wave.number);
  io.number("search-stack", stack_number);
  index_lines(io);
  if (phase == Phase::none) return;
  io.number("search-next", next);
  io.number("search-expansions", expansions);
  if (phase == Phase::lasso) return lasso_lines(io, state_words);
  io.file(FileName(kAcceptingFile, number).c_str(), accepting);
  io.file(FileName(kBitsFile, bits_number).c_str(), bits);
  io.number("search-bit-words", bit_words);
  phase == Phase::first ? stack_lines(io) : wave_lines(io);
}

}  // namespace xmc
