// Session: the one run of this process, and every way it can end. Whatever happens after --json was
// read, the JSON result is written: at the end, after an error, when memory is too small while
// planning, when a check fails.
#pragma once

#include "cli/options/options.h"
#include "platform/device_base.h"
#include "platform/files.h"
#include "platform/process_peers.h"
#include "report/output.h"
#include "report/run_report.h"
#include "xmc/arena.h"
#include "xmc/native.h"

namespace xmc {

// What stands around a run when it is not a real one, or not alone.
struct Surroundings {
  // Null, or what gives the search another folder in front of the files of its work directory.
  FolderBase* (*storage)(FolderBase& files) = nullptr;
  // Null, or the processes that share the search.
  ProcessPeers* peers = nullptr;
};

class Session {
 public:
  explicit Session(const NativeModel* native, const Surroundings& surroundings = {});
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const NativeModel* const native;
  const Surroundings surroundings;
  Options options;
  RunReport report;

  // One of several processes, but not the first: it writes nothing but errors of its own.
  bool follows() const { return surroundings.peers != nullptr && surroundings.peers->me() != 0; }

  // Verdict and trace: standard output, or standard error when that one is for JSON.
  Output& out() { return out_; }
  // Plan, progress, messages.
  Output& err() { return err_; }
  void claim_standard_output_for_json() { out_fd_ = 2; }

  // The stream of --json is opened before the search, so that whoever reads it can wait for it. A
  // file is written beside its target and renamed when it is complete (output/outputs.h has looked
  // at it).
  Status open_json_stream();
  // What check_outputs() found; without it only an earlier result is replaced.
  void accept_json() { json_accepted_ = true; }
  void refuse_json() { json_done_ = true; }

  // Writes another object than the result of a run into the file of --json.
  Status write_json_object(void (*write)(void* self, JsonWriter& json), void* self);

  // Since the start of this process, and of the runs that it goes on from.
  double wall_s() const;
  double cpu_s() const;
  void add_earlier(double wall_s, double cpu_s);

  // "xmc-lite: error: ...", the JSON result if one is asked for, and the exit status.
  // `reason` goes into the result in place of that of the status.
  int end_with(const Status& status, std::string_view reason = {});
  // Writes the JSON result of `report`, whose verdict is final. Gives the exit status, which an I/O
  // error changes.
  int end();
  // The same for subcommands that search nothing and have no verdict: 0, unless the output is lost.
  int end_well();

  // The exit of hooks, which may not return. Files keep what was written.
  [[noreturn]] void leave_now(const Status& status);

 private:
  int end_following(const Status& status);
  Status open_json();
  Status write_json();

  u64 start_ns_;
  double earlier_wall_s_ = 0;
  double earlier_cpu_s_ = 0;
  int out_fd_ = 1;
  int err_fd_ = 2;
  char out_buffer_[4096];
  char err_buffer_[1024];
  Output out_;
  Output err_;
  OutputFile json_;
  bool lost_output_told_ = false;
  bool json_done_ = false;      // or refused
  bool json_accepted_ = false;  // its target
};

// run_cli() of xmc/native.h in other surroundings.
int run_cli_in(const Surroundings& surroundings, int argc, char** argv, const NativeModel* native);

// Sends failed checks here: one line, JSON, exit 70. The session must outlive everything.
void install_failure_hook(Session& session);

// An Output onto a file. The file must be open.
class FileOutput : public Output {
 public:
  explicit FileOutput(OutputFile& file) : Output(buffer_, &write, &file) {}

 private:
  static Status write(void* self, std::string_view bytes) {
    static_cast<OutputFile*>(self)->write(bytes);
    return {};
  }
  char buffer_[512];
};

}  // namespace xmc
