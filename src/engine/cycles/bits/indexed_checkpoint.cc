// Checkpoints of searches with one bit per state: what they have in common (search_checkpoint.h).
#include "engine/cycles/bits/indexed_search.h"
#include "engine/search/file_names.h"
#include "xmc/check.h"

namespace xmc {

namespace {

Status too_short(const char* name) {
  return Status::fail(Code::corrupt, "the file '%s' is shorter than the checkpoint says", name);
}

}  // namespace

Status IndexedSearch::save_search(SearchCheckpoint::Phase phase) {
  checkpoint_->phase = phase;
  checkpoint_->states = product_.states;
  checkpoint_->expansions = s_.stats().expansions;
  XMC_TRY(index_.save_checkpoint(*checkpoint_, product_.scan_buffer));
  checkpoint_->named = true;
  return {};
}

void IndexedSearch::go_on() {
  s_.stats().expansions = checkpoint_->expansions;
  ++checkpoint_->resumed;
}

Status IndexedSearch::remove_old(const char* file, u64 number) {
  if (number < kRemovedBehind) return {};
  return product_.folder->remove(FileName(file, number - kRemovedBehind).c_str());
}

Status IndexedSearch::next_bits() { return checkpoint_->next_bits(*product_.folder); }

Status IndexedSearch::save_bits(FlashStack* stack) {
  XMC_TRY(next_bits());
  const FileName name = FileName(kBitsFile, checkpoint_->bits_number);
  XMC_LET(Device* const device, product_.folder->open(name.c_str(), Folder::Open::create));
  const Status status = write_bits(device, stack);
  product_.folder->close(device);
  return status;
}

Status IndexedSearch::write_bits(Device* device, FlashStack* stack) {
  const std::span<const u64> bits = visited_.words();
  WordWriter out;
  out.start(device, product_.scan_buffer);
  XMC_TRY(out.add(bits));
  if (stack != nullptr) XMC_TRY(out.add(stack->window()));
  XMC_TRY(out.finish());
  checkpoint_->bits = {out.bytes(), out.chain()};
  checkpoint_->bit_words = bits.size();
  return stack == nullptr ? Status() : stack->note(checkpoint_->stack, product_.scan_buffer);
}

Status IndexedSearch::open_bits(const FileName& name, u64 words_behind, WordReader& in,
                                Device*& device) {
  XMC_CHECK(visited_.words().size() == checkpoint_->bit_words);
  XMC_LET(Device* const opened, product_.folder->open(name.c_str(), Folder::Open::existing));
  device = opened;
  in.start(device, name.c_str(), checkpoint_->bit_words + words_behind, product_.scan_buffer);
  if (device->size_bytes() >= checkpoint_->bits.bytes) return {};
  product_.folder->close(device);
  return too_short(name.c_str());
}

Status IndexedSearch::reopen_keys(KeyFile& keys, Device* device, const char* name, u32 key_words,
                                  std::span<u8> buffer, const SearchCheckpoint::Stamp& stamp) {
  if (device->size_bytes() < stamp.bytes) return too_short(name);
  return keys.reopen(device, name, Purpose::stack, key_words, buffer, stamp.bytes, stamp.chain);
}

}  // namespace xmc
