// Checkpoints in the root slots of a folder, whose power may fail.
#pragma once

#include "store/checkpoint/root.h"
#include "xmc/engine.h"

namespace xmc_test {

using namespace xmc;

class Roots final : public Checkpointer {
 public:
  Roots(Folder& folder, u32 every) : folder_(folder), every_(every) {}
  bool due(bool) override { return ++asked % every_ == 0; }
  Manifest& begin() override {
    next_.clear();
    return next_;
  }
  // Names first, as the tool does it: a root must not promise a file that a cut could take back.
  Status commit() override {
    if (sync_names) XMC_TRY(folder_.sync());
    XMC_TRY(commit_root(folder_, next_, sequence + 1));
    ++sequence;
    return {};
  }
  u64 sequence = 0;
  u32 asked = 0;
  bool sync_names = true;  // false: wrong on purpose

 private:
  Folder& folder_;
  u32 every_;
  Manifest next_;
};

}  // namespace xmc_test
