// MpiPeers: this process as the others of an MPI job see it (mpi_peers.h). Blocks and values are in
// mpi_peers.cc, the end that all share in mpi_parting.cc.
#pragma once

// The C++ interface of old versions: nothing of it is used.
#define MPICH_SKIP_MPICXX 1
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>

#include "platform/clock.h"
#include "platform/process_peers.h"
#include "xmc/limits.h"

namespace xmc {

// Asks again at once for a while, lets others run for about a millisecond, then sleeps in pauses
// that grow: most waits are short, and a pause is as long as what was waited for, at most.
class Patience {
 public:
  explicit Patience(u64 longest_ns = 1'000'000) : longest_ns_(longest_ns) {}
  void pause() {
    if (++asked_ < kAtOnce) return;
    if (asked_ < kInTurn) return yield_processor();
    sleep_ns(pause_ns_);
    pause_ns_ = std::min(pause_ns_ + pause_ns_ / 4, longest_ns_);
  }

 private:
  static constexpr u32 kAtOnce = 200;
  static constexpr u32 kInTurn = 2000;
  u64 longest_ns_;
  u32 asked_ = 0;
  u64 pause_ns_ = 20'000;
};

class MpiPeers final : public ProcessPeers {
 public:
  Status begin(int& argc, char**& argv);

  u32 count() const override { return count_; }
  u32 me() const override { return me_; }
  std::span<u8> buffer(u32 owner) override;
  void post(u32 owner, u32 bytes, bool last) override;
  bool receive(Block& block) override;
  void release() override;
  u32 changes() override;
  void wait(u32 changes) override;
  Status gather(std::span<const u64> mine, std::span<u64> all) override;
  void stop(StopReason reason) override;
  StopReason stopped() override;

  u64 bytes_for(u32 buffer_bytes) const override;
  void start(u32 buffer_bytes, std::span<u8> memory) override;
  int part(int status) override;
  int end(int status) override;

 private:
  enum Tag : int { kBlock = 1, kLastBlock, kStop, kSignal, kValues, kAllValues, kFarewell };
  static constexpr u32 kSendBuffers = 4;
  static constexpr u32 kReceiveBuffers = 2;

  struct Receive {
    MPI_Request request = MPI_REQUEST_NULL;
    u32 bytes = 0;
    bool last = false;
  };
  // Another process. Blocks are counted, and use the buffers in turn.
  struct Other {
    u8* out = nullptr;
    u8* in = nullptr;
    MPI_Request sending[kSendBuffers];
    u32 posted = 0;
    u32 sent = 0;  // of these: their receive has begun
    Receive receiving[kReceiveBuffers];
    u32 come = 0;
    u32 released = 0;
    MPI_Request stop = MPI_REQUEST_NULL;  // what was sent beside blocks
    MPI_Request signal = MPI_REQUEST_NULL;
    MPI_Request values = MPI_REQUEST_NULL;
    MPI_Request farewell[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    bool no_blocks = false;  // it said farewell there
    bool no_words = false;
  };

  void talk_to_neighbours();
  bool ok(int result);
  bool done(MPI_Request& request, MPI_Status* status = MPI_STATUS_IGNORE);
  bool is_there(MPI_Comm where, int source, int tag, MPI_Status& status);
  void send(const void* bytes, u64 count, u32 to, int tag, MPI_Comm where, MPI_Request& request);
  bool take(void* bytes, u64 room, const MPI_Status& of, MPI_Comm where);
  u8* in_buffer(Other& other, u32 number) const {
    return other.in + u64{number % kReceiveBuffers} * buffer_bytes_;
  }
  void post_receive(u32 from, u32 number);
  void progress();
  void progress_of(u32 owner);
  void hear_stop(StopReason reason, u32 from);
  void tell_signal();
  bool over() const { return reason_ != StopReason::none; }
  bool meet_at_first(u64 values);
  bool tell_all(u64 values);
  bool hear_all(std::span<u64> all);
  void drop_blocks(u32 from);
  void drop_unasked_blocks();
  void drop_words(u32 from);
  bool parted(Other& other);
  void cancel_receives();
  void forget();

  MPI_Comm blocks_ = MPI_COMM_NULL;
  MPI_Comm words_ = MPI_COMM_NULL;
  u32 count_ = 1;
  u32 me_ = 0;
  u32 buffer_bytes_ = 0;  // 0: not started
  Other others_[limits::kOwners];
  u64* values_ = nullptr;  // of all
  u64 one_of_each_[limits::kOwners] = {};
  u64 stop_word_ = 0;
  u64 signal_word_ = 0;  // told to process 0, if there was one
  u64 farewell_word_ = 0;
  u64 status_ = 0;  // of process 0
  u32 changes_ = 0;
  u32 sender_ = kNone;  // of the block that was received last
  u32 next_sender_ = 0;
  StopReason reason_ = StopReason::none;
  u32 stopped_by_ = kNone;
  bool failed_ = false;  // MPI
  bool parted_ = false;  // and nothing was begun since
};

}  // namespace xmc
