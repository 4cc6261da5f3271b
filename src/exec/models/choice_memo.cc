#include "exec/models/choice_memo.h"

#include <algorithm>
#include <bit>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/hash.h"

namespace xmc {

namespace {

constexpr const char* kChoices = "choices";
constexpr u64 kMostBytes = u64{1} << 20;
constexpr u64 kLeastBytes = 16 << 10;
constexpr u64 kShare = 32;  // of the memory that is left
// After as many choices it is looked at whether enough of them were found.
constexpr u32 kTrial = 1 << 16;
constexpr u32 kEnoughPercent = 20;

}  // namespace

ChoiceMemo::ChoiceMemo(u32 words, Arena& arena) : words_(words) {
  const u64 bytes = std::min(kMostBytes, arena.free_bytes() / kShare);
  if (bytes < kLeastBytes) return;
  roots_ = arena.carve_array<u32>(kChoices, std::bit_floor(bytes / 16 / sizeof(u32)));
  rows_ = arena.carve_array<u64>(kChoices, bytes / 8 / sizeof(u64));
  cells_ = arena.carve_array<u32>(kChoices, bytes / 16 * 13 / sizeof(u32));
  forget();
}

void ChoiceMemo::forget() {
  fill_zero(roots_);
  root_count_ = row_count_ = 0;
  cell_count_ = 1;
}

void ChoiceMemo::judge() {
  if (asked_ < kTrial) return;
  if (u64{found_} * 100 < u64{asked_} * kEnoughPercent) cells_ = {};
  asked_ = found_ = 0;
}

u32 ChoiceMemo::first_slot(const u64* enabled) const {
  u64 hash = 0;
  for (u32 w = 0; w < words_; ++w) hash = (hash ^ enabled[w]) * 0x9E37'79B9'7F4A'7C15;
  return static_cast<u32>(hash >> 32) & (static_cast<u32>(roots_.size()) - 1);
}

u32 ChoiceMemo::root(const u64* enabled) const {
  const u32 mask = static_cast<u32>(roots_.size()) - 1;
  for (u32 i = first_slot(enabled);; i = (i + 1) & mask) {
    const u32 at = roots_[i];
    if (at == kOpen) return kOpen;
    const u64* const row = rows_.data() + cells_[at - 1];
    u32 w = 0;
    while (w < words_ && row[w] == enabled[w]) ++w;
    if (w == words_) return at;
  }
}

u32 ChoiceMemo::add_root(const u64* enabled) {
  const u32 mask = static_cast<u32>(roots_.size()) - 1;
  u32 i = first_slot(enabled);
  while (roots_[i] != kOpen) i = (i + 1) & mask;
  cells_[cell_count_++] = keep_row(enabled, enabled);
  ++root_count_;
  return roots_[i] = cell_count_;
}

u32 ChoiceMemo::keep_row(const u64* row, const u64* with) {
  const u32 at = row_count_;
  row_count_ += words_;
  for (u32 w = 0; w < words_; ++w) rows_[at + w] = row[w] & with[w];
  return at;
}

bool ChoiceMemo::has_room(std::size_t questions) const {
  return cell_count_ + 2 * questions + 2 <= cells_.size() &&
         row_count_ + u64{2} * words_ <= rows_.size() && root_count_ < roots_.size() / 2;
}

void ChoiceMemo::remember(const u64* enabled, std::span<const Asked> path, const u64* chosen) {
  judge();
  if (!is_on()) return;
  if (!has_room(path.size())) forget();
  if (!has_room(path.size())) return;
  std::size_t known = 0;  // questions that the tree has answers to
  u32* link = nullptr;    // where the rest is to hang
  u32 at = root(enabled);
  if (at == kOpen) at = add_root(enabled);
  while (at != cell_count_) {
    XMC_CHECK(known < path.size());
    const Asked& a = path[known];
    XMC_CHECK(cells_[at] / kAnswers == a.question);
    const bool same = cells_[at] % kAnswers == a.answer;
    // Of other answers there may be more than one, each with a node of its own.
    known += same || a.question % 2 == 0 ? 1 : 0;
    link = same ? nullptr : &cells_[at + 1];
    at = same ? at + 2 : *link;
    if (at == kOpen) at = *link = cell_count_;
  }
  for (const Asked& a : path.subspan(known)) {
    cells_[cell_count_++] = a.question * kAnswers + a.answer;
    cells_[cell_count_++] = kOpen;
  }
  cells_[cell_count_++] = chosen == nullptr ? kAll : kLeaf | keep_row(chosen, enabled);
}

}  // namespace xmc
