#include "engine/cycles/index/search_checkpoint.h"

#include "engine/search/file_names.h"
#include "engine/search/level_checkpoint.h"
#include "engine/search/product.h"
#include "xmc/check.h"
#include "xmc/engine.h"
#include "xmc/text.h"

namespace xmc {

namespace {

Status stamp_of(const Manifest& manifest, const char* file, u64 number,
                SearchCheckpoint::Stamp& stamp) {
  Manifest::File entry;
  XMC_TRY(find_file(manifest, FileName(file, number).c_str(), entry));
  stamp = {entry.bytes, entry.chain};
  return {};
}

}  // namespace

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

void SearchCheckpoint::save_neighbours(Manifest& manifest) const {
  manifest.add("search-neighbours", near.choice);
  if (near.choice == 0) return;
  manifest.add("search-near-words", near.words);
  manifest.add_file(FileName(kHashNearFile, hash_number).c_str(), near.stamp.bytes,
                    near.stamp.chain);
}

// Checkpoints of older versions have no such file: then the hash is not used.
Status SearchCheckpoint::restore_neighbours(const Manifest& manifest) {
  XMC_TRY(restore_number(manifest, "search-neighbours", near.choice));
  if (near.choice == 0 || !manifest.has("search-near-words")) return {};
  XMC_TRY(restore_number(manifest, "search-near-words", near.words));
  return stamp_of(manifest, kHashNearFile, hash_number, near.stamp);
}

void SearchCheckpoint::save_part(Manifest& manifest) const {
  const phf::BuildCheckpoint& b = part.build;
  const Word words[kPartWords] = {part.seed,    part.page_bytes, part.codec, part.block_bytes,
                                  part.memory,  b.writing,       b.keys,     b.runs,
                                  b.spill_runs, b.spilled,       b.pages,    b.placed};
  manifest.add_words("search-part", words);
  save_neighbours(manifest);
  manifest.add_file(FileName(kBitsFile, bits_number).c_str(), bits.bytes, bits.chain);
  if (b.run_bytes > 0) {
    manifest.add_plain(FileName(kHashRunsFile, hash_number).c_str(), part.runs.bytes,
                       part.runs.chain);
  }
  if (b.pages > 0) {
    manifest.add_plain(FileName(kHashFile, hash_number).c_str(), hash.bytes, hash.chain);
  }
}

Status SearchCheckpoint::restore_part(const Manifest& manifest) {
  Word words[kPartWords] = {};
  XMC_TRY(manifest.words("search-part", words));
  phf::BuildCheckpoint& b = part.build;
  part.seed = words[0];
  part.page_bytes = words[1];
  part.codec = words[2];
  part.block_bytes = words[3];
  part.memory = words[4];
  b.writing = words[5] != 0;
  b.keys = words[6];
  b.runs = static_cast<u32>(words[7]);
  b.spill_runs = static_cast<u32>(words[8]);
  b.spilled = words[9];
  b.pages = words[10];
  b.placed = words[11];
  XMC_TRY(restore_neighbours(manifest));
  XMC_TRY(stamp_of(manifest, kBitsFile, bits_number, bits));
  if (b.runs + b.spill_runs > 0) {
    XMC_TRY(stamp_of(manifest, kHashRunsFile, hash_number, part.runs));
    b.run_bytes = part.runs.bytes;
  }
  return b.pages > 0 ? stamp_of(manifest, kHashFile, hash_number, hash) : Status();
}

void SearchCheckpoint::save(Manifest& manifest, u32 state_words) const {
  if (!named) return;
  manifest.add("search-phase", static_cast<u64>(phase));
  manifest.add("search-index", static_cast<u64>(index));
  manifest.add("search-states", states);
  manifest.add("search-hash", hash_number);
  manifest.add("search-number", number);
  manifest.add("search-bits", bits_number);
  manifest.add("search-wave", wave.number);
  manifest.add("search-stack", stack_number);
  if (index == Index::hash) {
    save_neighbours(manifest);
    manifest.add_plain(FileName(kHashFile, hash_number).c_str(), hash.bytes, hash.chain);
  }
  if (index == Index::part) save_part(manifest);
  if (index == Index::rank) {
    manifest.add("search-rank-words", rank_words);
    manifest.add_file(FileName(kRankFile, hash_number).c_str(), rank.bytes, rank.chain);
  }
  if (index == Index::rank_part) {
    manifest.add("search-rank-words", rank_words);
    manifest.add_file(FileName(kBitsFile, bits_number).c_str(), bits.bytes, bits.chain);
  }
  if (phase == Phase::none) return;
  manifest.add("search-next", next);
  manifest.add("search-expansions", expansions);
  if (phase == Phase::lasso) {
    manifest.add("search-bound", lasso.bound);
    manifest.add("search-total", lasso.total);
    manifest.add("search-place", lasso.place);
    manifest.add_words("search-open", lasso.open);
    manifest.add_words("search-best", {lasso.best, state_words});
    return;
  }
  manifest.add_file(FileName(kAcceptingFile, number).c_str(), accepting.bytes, accepting.chain);
  manifest.add_file(FileName(kBitsFile, bits_number).c_str(), bits.bytes, bits.chain);
  manifest.add("search-bit-words", bit_words);
  if (phase == Phase::first) {
    manifest.add("search-entry", entry_words);
    const Word place[] = {stack.blocks, stack.top, stack.block_bytes};
    manifest.add_words("search-stack-blocks", place);
    manifest.add("search-window", stack.window_words);
    manifest.add_file(FileName(kStackFile, stack_number).c_str(), stack.bytes, stack.chain);
  } else if (wave.under_way) {
    manifest.add("search-wave-next", wave.next);
    if (wave.closed) manifest.add("search-closed", 1);
    manifest.add_file(FileName(kWaveFile, wave.number).c_str(), wave.stamp.bytes, wave.stamp.chain);
  }
}

Status SearchCheckpoint::restore(const Manifest& manifest, u32 state_words) {
  *this = {};
  if (!manifest.has("search-phase")) return {};
  named = true;
  u64 which_phase = 0;
  u64 which_index = 0;
  XMC_TRY(restore_number(manifest, "search-phase", which_phase));
  XMC_TRY(restore_number(manifest, "search-index", which_index));
  XMC_TRY(restore_number(manifest, "search-states", states));
  XMC_TRY(restore_number(manifest, "search-hash", hash_number));
  XMC_TRY(restore_number(manifest, "search-number", number));
  XMC_TRY(restore_number(manifest, "search-bits", bits_number));
  XMC_TRY(restore_number(manifest, "search-wave", wave.number));
  XMC_TRY(restore_number(manifest, "search-stack", stack_number));
  if (which_phase > static_cast<u64>(Phase::lasso) ||
      which_index > static_cast<u64>(Index::rank_part)) {
    return Status::fail(Code::corrupt, "the checkpoint is of a search that does not exist");
  }
  phase = static_cast<Phase>(which_phase);
  index = static_cast<Index>(which_index);
  if (index == Index::hash) {
    XMC_TRY(restore_neighbours(manifest));
    XMC_TRY(stamp_of(manifest, kHashFile, hash_number, hash));
  }
  if (index == Index::part) XMC_TRY(restore_part(manifest));
  if (index == Index::rank) {
    XMC_TRY(restore_number(manifest, "search-rank-words", rank_words));
    XMC_TRY(stamp_of(manifest, kRankFile, hash_number, rank));
  }
  if (index == Index::rank_part) {
    XMC_TRY(restore_number(manifest, "search-rank-words", rank_words));
    XMC_TRY(stamp_of(manifest, kBitsFile, bits_number, bits));
  }
  if (phase == Phase::none) return {};
  XMC_TRY(restore_number(manifest, "search-next", next));
  XMC_TRY(restore_number(manifest, "search-expansions", expansions));
  if (phase == Phase::lasso) {
    XMC_TRY(restore_number(manifest, "search-bound", lasso.bound));
    XMC_TRY(restore_number(manifest, "search-total", lasso.total));
    if (manifest.has("search-place")) {
      XMC_TRY(restore_number(manifest, "search-place", lasso.place));
    }
    // Older versions begin again with the first one that was open.
    if (manifest.has("search-open")) XMC_TRY(manifest.words("search-open", lasso.open));
    return manifest.words("search-best", {lasso.best, state_words});
  }
  XMC_TRY(stamp_of(manifest, kAcceptingFile, number, accepting));
  XMC_TRY(stamp_of(manifest, kBitsFile, bits_number, bits));
  XMC_TRY(restore_number(manifest, "search-bit-words", bit_words));
  if (phase == Phase::first) {
    XMC_TRY(restore_number(manifest, "search-entry", entry_words));
    Word place[3] = {};
    Stamp file;
    XMC_TRY(manifest.words("search-stack-blocks", place));
    XMC_TRY(stamp_of(manifest, kStackFile, stack_number, file));
    stack = {file.bytes, file.chain, place[0], place[1], place[2], 0};
    return restore_number(manifest, "search-window", stack.window_words);
  }
  wave.under_way = manifest.has("search-wave-next");
  wave.closed = manifest.has("search-closed");
  if (wave.under_way) {
    XMC_TRY(restore_number(manifest, "search-wave-next", wave.next));
    return stamp_of(manifest, kWaveFile, wave.number, wave.stamp);
  }
  // The checkpoint before may name it.
  ++wave.number;
  return {};
}

}  // namespace xmc
