// Questions to runs of pages: all reads of a round are under way together, on all files.
#include <algorithm>

#include "store/tiered/page_runs.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

Status PageRuns::ask(std::span<PageQuestion> questions) {
  for (PageQuestion& question : questions) question.found = question.read = false;
  for (Cursor at; at.run < count_;) {
    Read reads[kMostReads];
    const std::span<const Read> round(reads, choose_reads(questions, at, reads));
    XMC_TRY(read_all(round));
    for (u32 i = 0; i < round.size(); ++i) {
      XMC_TRY(take_page(round[i], questions[round[i].question], page_at(i)));
    }
  }
  return {};
}

// As many as there are pages for, one run after the other, from the cursor on.
u32 PageRuns::choose_reads(std::span<const PageQuestion> questions, Cursor& at, Read* reads) const {
  const u64 room = std::min<u64>(memory_.pages.size() / kPageBytes, kMostReads);
  u32 fill = 0;
  for (; at.run < count_; ++at.run, at.question = 0) {
    const Run& run = runs_[at.run];
    for (; at.question < questions.size(); ++at.question) {
      const PageQuestion& question = questions[at.question];
      if (question.found || run.newest <= question.since) continue;
      if (run.has_filter && !run.filter.may_have(question.hash.fingerprint)) continue;
      if (fill == room) return fill;
      reads[fill++] = {at.run, at.question, run.pages.page_of(question.hash.order)};
    }
  }
  return fill;
}

// Those of one run are one batch of its device.
Status PageRuns::read_all(std::span<const Read> reads) {
  ReadRequest requests[kMostReads];
  for (u32 i = 0; i < reads.size(); ++i) requests[i] = {reads[i].page * kPageBytes, page_at(i)};
  for (u32 begin = 0, end = 0; begin < reads.size(); begin = end) {
    while (end < reads.size() && reads[end].run == reads[begin].run) ++end;
    Device& device = *runs_[reads[begin].run].device;
    XMC_TRY(device.begin_reads({requests + begin, end - begin}, Purpose::states));
  }
  for (u32 i = 0; i < reads.size(); ++i) {
    if (i > 0 && reads[i - 1].run == reads[i].run) continue;
    XMC_TRY(runs_[reads[i].run].device->finish_read());
  }
  return {};
}

Status PageRuns::take_page(const Read& read, PageQuestion& question, std::span<u8> page) {
  const Run& run = runs_[read.run];
  question.read = true;
  for (u64 number = read.page; !question.found;) {
    const BlockPlace place = run.device->place(number * kPageBytes);
    XMC_LET(const PageAnswer answer,
            look_in_page(page, shape_, place, name_of(run).c_str(), number, question.key));
    question.found = answer.found;
    if (!answer.goes_on) break;
    const ReadRequest request{++number * kPageBytes, page};
    XMC_TRY(run.device->read({&request, 1}, Purpose::states));
  }
  return {};
}

}  // namespace xmc
