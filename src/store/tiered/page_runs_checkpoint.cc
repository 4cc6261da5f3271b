// Checkpoints of runs of pages, which never change once they are written.
#include <algorithm>

#include "store/checkpoint/lines.h"
#include "store/tiered/page_runs.h"
#include "xmc/check.h"

namespace xmc {

// What a checkpoint says of the runs: kWordsOfRun words of each, and their files.
struct PageRuns::Said {
  u64 count = 0;
  Word words[kWordsOfRun * kMostRuns] = {};

  Word* of(u32 i) { return words + std::size_t{kWordsOfRun} * i; }
};

void PageRuns::lines(Lines& io, Said& said) {
  io.number("page-runs", said.count);
  io.number("page-run-files", files_);
  io.number("page-run-keys", least_keys_);
  if (said.count > kMostRuns) {
    return io.need(Status::fail(Code::corrupt, "the checkpoint has %llu runs of pages, over %u",
                                wide(said.count), kMostRuns));
  }
  const auto size = static_cast<std::size_t>(kWordsOfRun * said.count);
  if (size > 0) io.words("page-run", {said.words, size});
}

Status PageRuns::save(Lines& io) {
  Said said;
  said.count = count_;
  for (u32 i = 0; i < count_; ++i) {
    const Run& run = runs_[i];
    XMC_TRY(run.device->sync());
    FileMark mark{run.pages.bytes, run.pages.chain};
    io.file(name_of(run).c_str(), mark);
    const Word of[] = {run.file, run.newest, run.pages.keys, run.pages.bytes, run.pages.chain};
    std::copy_n(of, kWordsOfRun, said.of(i));
  }
  lines(io, said);
  return io.status();
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

Status PageRuns::restore(Lines& io) {
  XMC_CHECK(count_ == 0);
  Said said;
  lines(io, said);
  XMC_TRY(io.status());
  committed_ = 1;  // the checkpoint itself, which names what was born before
  for (u32 i = 0; i < said.count; ++i) {
    const Word* const of = said.of(i);
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
