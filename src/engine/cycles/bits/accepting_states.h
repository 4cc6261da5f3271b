// AcceptingStates: the accepting states of a double search in the order in which its first search
// left them, each with its number, as a file (double_dfs.h). It only grows, so a checkpoint says
// how long it is.
#pragma once

#include <algorithm>
#include <span>

#include "engine/cycles/bits/indexed_search.h"
#include "engine/search/file_names.h"
#include "store/files/key_file.h"
#include "xmc/engine.h"
#include "xmc/limits.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

class AcceptingStates {
 public:
  AcceptingStates(IndexedSearch& search, const Product& product)
      : search_(search), product_(product) {}

  // Empty. `buffer` holds one slot, aligned for the device.
  Status open(std::span<u8> buffer) {
    const SearchCheckpoint* const checkpoint = product_.search_checkpoint;
    name_ = FileName(kAcceptingFile, checkpoint == nullptr ? 0 : checkpoint->number);
    XMC_TRY(search_.open_file(name_.c_str(), device_));
    file_.start(device_, name_.c_str(), Purpose::stack, search_.words() + 1, buffer);
    return {};
  }
  // As the checkpoint has it.
  Status reopen(std::span<u8> buffer) {
    const SearchCheckpoint& checkpoint = *product_.search_checkpoint;
    name_ = FileName(kAcceptingFile, checkpoint.number);
    XMC_TRY(search_.open_file(name_.c_str(), device_, Folder::Open::existing));
    search_.keep_file(device_);
    return search_.reopen_keys(file_, device_, name_.c_str(), search_.words() + 1, buffer,
                               checkpoint.accepting);
  }
  Status save_checkpoint() {
    XMC_TRY(file_.flush());
    search_.keep_file(device_);
    product_.search_checkpoint->accepting = {file_.bytes(), file_.chain()};
    return {};
  }

  Status add(u64 number, const Word* state) {
    Word key[limits::kKeyWords];
    std::copy_n(state, search_.words(), key);
    key[search_.words()] = number;
    return file_.append(key, 0);
  }
  u64 count() const { return file_.keys(); }
  // Of the states, each followed by its number.
  KeyFile& keys() { return file_; }

 private:
  IndexedSearch& search_;
  const Product& product_;
  FileName name_;
  Device* device_ = nullptr;
  KeyFile file_;
};

}  // namespace xmc
