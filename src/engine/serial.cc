#include "engine/serial.h"

#include "engine/level_checkpoint.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

Status SerialEngine::begin_store() {
  caching_ = true;
  cache_.begin(region_, search_.model, search_.options);
  return {};
}

Status SerialEngine::save_store(Manifest& manifest) {
  manifest.add("serial-caching", caching_ ? 1 : 0);
  if (caching_) cache_.save(manifest);
  return {};
}

Status SerialEngine::restore_store(const Manifest& manifest) {
  u64 caching = 0;
  XMC_TRY(restore_number(manifest, "serial-caching", caching));
  if (caching == 0) {
    caching_ = false;
    XMC_TRY(DiskSearch::begin_store());
    return recent_.recall();
  }
  XMC_TRY(begin_store());
  return cache_.restore(reader_, manifest);
}

Status SerialEngine::take(u32 count, StopReason& stop) {
  if (!caching_) return DiskSearch::take(count, stop);
  XMC_TRY(cache_.take(search_.buffer, count, search_.clock, stop,
                      [&](const Word* state) { return enqueue(state, stop); }));
  // The buffer is done with, which the hand-over expands into.
  return stop == StopReason::none && cache_.failing() ? hand_over() : Status();
}

Status SerialEngine::settle(bool level_end, StopReason& stop) {
  return caching_ ? Status() : DiskSearch::settle(level_end, stop);
}

Status SerialEngine::conclude() {
  if (!caching_ || !cache_.forgot()) return {};
  return find_repeats(CachePhase::free_part(region_), {}, cache_.repeats());
}

Status SerialEngine::hand_over() {
  caching_ = false;
  // One bit for each entry of the queue; there are few more of them than slots in the cache.
  const u64 bitmap_words = divide_up(queue_.keys(), 64);
  const u64 bitmap_bytes = round_up(bitmap_words * sizeof(u64), 64);
  const std::span<u8> memory = CachePhase::free_part(region_);
  XMC_CHECK(bitmap_bytes < memory.size() / 2);
  const std::span<u8> table =
      memory.first(static_cast<std::size_t>(round_down(memory.size() - bitmap_bytes, 64)));
  auto* const bits = reinterpret_cast<u64*>(table.data() + table.size());
  const std::span<u64> repeats(bits, static_cast<std::size_t>(bitmap_words));
  fill_zero(repeats);

  const char* const old_name = queue_.name();
  const char* const new_name = other_queue_name();
  const Result<Device*> device = open_file(new_name, Folder::Open::create);
  if (!device.ok()) return device.status();
  KeyFile fresh;
  fresh.start(device.value(), new_name, Purpose::queue, search_.model.state_words,
              unchecked_buffer_);
  XMC_TRY(find_repeats(table, repeats, cache_.repeats(), &fresh));
  XMC_TRY(fresh.flush());
  return continue_with(fresh, old_name);
}

}  // namespace xmc
