// Checkpoints of runs of pages, which never change once they are written.
#include <algorithm>

#include "store/checkpoint/manifest.h"
#include "store/tiered/page_runs.h"
#include "xmc/check.h"

namespace xmc {

// Lines: page-runs number of runs, page-run-files their words; and the files themselves.
Status PageRuns::save_checkpoint(Manifest& manifest) {
  u64 words[kWordsOfRun * kMostRuns];
  for (u32 i = 0; i < count_; ++i) {
    const Run& run = runs_[i];
    XMC_TRY(run.device->sync());
    manifest.add_file(name_of(run).c_str(), run.pages.bytes, run.pages.chain);
    u64* const of = words + std::size_t{kWordsOfRun} * i;
    of[0] = run.file;
    of[1] = run.newest;
    of[2] = run.pages.keys;
    of[3] = run.pages.bytes;
    of[4] = run.pages.chain;
  }
  manifest.add("page-runs", count_);
  manifest.add("page-run-files", files_);
  manifest.add("page-run-keys", least_keys_);
  if (count_ > 0) manifest.add_words("page-run", {words, std::size_t{kWordsOfRun} * count_});
  return {};
}

// A file that died before the last checkpoint is in none of the two that are kept.
Status PageRuns::checkpoint_committed() {
  ++committed_;
  u32 kept = 0;
  for (u32 i = 0; i < dead_count_; ++i) {
    if (committed_ < dead_[i].since + 2) {
      dead_[kept++] = dead_[i];
    } else {
      XMC_TRY(folder_->remove(FileName(name_, dead_[i].file).c_str()));
    }
  }
  dead_count_ = kept;
  return {};
}

Status PageRuns::restore_checkpoint(const Manifest& manifest) {
  XMC_CHECK(count_ == 0);
  XMC_LET(const u64 count, manifest.number("page-runs"));
  XMC_LET(files_, manifest.number("page-run-files"));
  XMC_LET(least_keys_, manifest.number("page-run-keys"));
  if (count > kMostRuns) {
    return Status::fail(Code::corrupt, "the checkpoint has %llu runs of pages, over %u",
                        wide(count), kMostRuns);
  }
  u64 words[kWordsOfRun * kMostRuns];
  const std::size_t size = kWordsOfRun * static_cast<std::size_t>(count);
  if (count > 0) XMC_TRY(manifest.words("page-run", {words, size}));
  committed_ = 1;  // the checkpoint itself, which names what was born before
  for (u32 i = 0; i < count; ++i) {
    const u64* const of = words + std::size_t{kWordsOfRun} * i;
    Run run;
    run.file = of[0];
    run.newest = of[1];
    run.pages = {of[2], shape_.pages_for(of[2]), of[3], of[4]};
    XMC_TRY(open(run, Folder::Open::existing));
    runs_[count_++] = run;
    if (run.device->size_bytes() < run.pages.bytes || run.file >= files_ ||
        run.pages.bytes / kPageBytes < run.pages.pages) {
      return not_of_checkpoint(name_of(run).c_str());
    }
  }
  return restore_filters();
}

}  // namespace xmc
