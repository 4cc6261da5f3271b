#include "engine/cycles/bits/seed_wave.h"

#include <algorithm>

#include "engine/search/file_names.h"
#include "engine/search/path_back.h"
#include "xmc/limits.h"

namespace xmc {

Status SeedWave::open(std::span<u8> buffer) {
  buffer_ = buffer;
  name_ =
      FileName(kWaveFile,
               product_.search_checkpoint == nullptr ? 0 : product_.search_checkpoint->wave.number);
  XMC_TRY(search_.open_file(name_.c_str(), device_));
  file_.start(device_, name_.c_str(), Purpose::stack, search_.words(), buffer_);
  named_ = false;
  return {};
}

Status SeedWave::reopen(std::span<u8> buffer) {
  const SearchCheckpoint& checkpoint = *product_.search_checkpoint;
  buffer_ = buffer;
  name_ = FileName(kWaveFile, checkpoint.wave.number);
  XMC_TRY(search_.open_file(name_.c_str(), device_, Folder::Open::existing));
  search_.keep_file(device_);
  named_ = true;
  XMC_TRY(search_.reopen_keys(file_, device_, name_.c_str(), search_.words(), buffer_,
                              checkpoint.wave.stamp));
  if (checkpoint.wave.next > file_.keys()) {
    return Status::fail(Code::corrupt, "the checkpoint has more states than its wave");
  }
  return read_from(checkpoint.wave.next);
}

// What a checkpoint has named stays as it is.
Status SeedWave::clear() {
  last_level_ = 0;
  if (!named_) return file_.keys() > 0 ? file_.clear() : Status();
  XMC_TRY(search_.close_file(device_));
  XMC_TRY(search_.remove_old(kWaveFile, ++product_.search_checkpoint->wave.number));
  return open(buffer_);
}

Status SeedWave::read_from(u64 number) {
  reader_.start(file_, product_.scan_buffer);
  done_ = number;
  return number == 0 ? Status() : reader_.seek_key(number);
}

Status SeedWave::save_checkpoint() {
  SearchCheckpoint& checkpoint = *product_.search_checkpoint;
  XMC_TRY(file_.flush());
  search_.keep_file(device_);
  named_ = true;
  checkpoint.wave.stamp = {file_.bytes(), file_.chain()};
  checkpoint.wave.next = done_;
  return {};
}

Status SeedWave::advance(const Word* seed, IndexedSearch::Batch& batch, StateBits& visited,
                         Step& step) {
  step = Step::ended;
  batch.fill = 0;
  Status stop;
  while (search_.has_room(batch) && stop.ok()) {
    XMC_LET(const bool next, reader_.next(last_));
    if (!next) break;
    step = Step::more;
    ++done_;
    last_level_ = reader_.level();
    const u32 from = batch.fill;
    search_.expand(last_, batch);
    for (u32 i = from; i < batch.fill; ++i) {
      if (search_.is_state(seed, search_.state_at(batch, i))) {
        step = Step::closed;
        return {};
      }
      batch.levels[i] = static_cast<u32>(last_level_ + 1);
    }
    if (search_.is_time()) stop = search_.ask(last_level_);
  }
  // What was expanded is finished in any case: a checkpoint says so.
  XMC_TRY(search_.look_up(batch));
  for (u32 i = 0; i < batch.fill; ++i) {
    if (!search_.inside(batch, i) || !visited.add(batch.numbers[i])) continue;
    XMC_TRY(file_.append(search_.state_at(batch, i), batch.levels[i]));
  }
  return stop.ok() ? Status() : stop;  // mostly there is nothing to copy
}

Status SeedWave::read_cycle(const Word* seed, Word* path, const GoOn& go_on) {
  const u64 n = search_.words();
  std::copy_n(seed, n, path);
  if (last_level_ > 0) std::copy_n(last_, n, path + last_level_ * n);
  PathBack back(*product_.search, reader_, go_on);
  Word before[limits::kKeyWords];
  for (u64 level = last_level_; level-- > 1;) {
    XMC_TRY(back.step(level, path + (level + 1) * n, before));
    std::copy_n(before, n, path + level * n);
  }
  return {};
}

}  // namespace xmc
