// The file of --report: a page that is written beside its place and renamed, so that whoever looks
// always sees a whole one. It is written when the search begins, at checkpoints and about once a
// minute, when it is asked for (SIGUSR1), and at the end. A page that cannot be written does not
// end a run: the error is told at the end.
//
// It collects the history of the run, which is kept in the work directory with each checkpoint.
// Lives in the arena: it takes no memory where no page is asked for.
#pragma once

#include "cli/run/session.h"
#include "cli/run/work/workdir.h"
#include "platform/files.h"
#include "report/page/history.h"
#include "report/page/page.h"
#include "report/progress.h"
#include "store/checkpoint/manifest.h"
#include "xmc/arena.h"

namespace xmc {

class PageFile {
 public:
  // Whoever knows the run fills in what there is to show of it now.
  struct Source {
    void* self = nullptr;
    void (*fill)(void* self, Page& page) = nullptr;
  };

  // Without a work directory the history is not kept.
  PageFile(Session& session, WorkDir* work, u64 run, const Source& source);
  PageFile(const PageFile&) = delete;
  PageFile& operator=(const PageFile&) = delete;

  // The run goes on from this checkpoint. Before the seal: the text of the history needs scratch.
  void go_on_from(const Manifest& checkpoint, u64 earlier_ms, Arena& arena);
  EndForecast forecast() const { return history_.forecast(); }
  // The search begins.
  void begin();
  void poll(const Progress& progress, u64 now_ns, bool asked, u64 disk, u64 written);
  // Before a checkpoint is there: a history that is ahead of it can be cut, one that is behind it
  // has a gap.
  void committing();
  // And behind it.
  void committed();
  // The last page, if a search was begun; `why` is the error that ended the run, or empty.
  Status finish(std::string_view why);

 private:
  static constexpr u64 kEveryNs = 60'000'000'000;  // without checkpoints
  static constexpr u64 kLeastNs = 10'000'000'000;  // between pages at checkpoints
  static constexpr u64 kRefreshSeconds = 60;

  u64 work_ms() const;
  void add_sample(const ProgressLine& line);
  Status save_history();
  Status write(bool running, std::string_view why);
  void try_write(u64 now_ns);
  void note(const Status& status);

  Session& session_;
  WorkDir* work_;
  u64 run_;
  Source source_;
  History history_;
  ProgressMeter meter_;
  OutputFile file_;
  Status error_;  // the first one
  u64 written_ns_ = 0;
  bool begun_ = false;
};

// Every option that was given, as rows of a table.
Status write_option_rows(const Options& options, Output& out);

}  // namespace xmc
