// Rests: when a search lays its work down for a while, and why.
//
//   --duty PERCENT      it worked for its share of the time
//   --temp-max C        the machine is hot, until it is kRelief degrees cooler
//   --on-battery pause  there is no mains power, until there is
//
// No clock and no sleep in here: the owner of the run gives the time and waits.
#pragma once

#include "cli/options/options.h"
#include "platform/machine.h"
#include "xmc/types.h"

namespace xmc {

class Rests {
 public:
  enum class Why : u8 { none, duty, heat, battery };
  struct Rest {
    Why why = Why::none;
    u64 ns = 0;  // ask again after this time at the latest
  };

  explicit Rests(MachineSensors sensors = MachineSensors()) : sensors_(sensors) {}
  void start(const Options& options, u64 now_ns);
  // What is due now. Of a rest that goes on it is asked again and again, until it is none.
  Rest due(u64 now_ns);
  u64 rested_ns() const { return rested_ns_; }

 private:
  static constexpr u64 kSecond = 1'000'000'000;
  static constexpr u64 kWorkedAtLeast = kSecond / 5;  // between two rests by --duty
  static constexpr u64 kLookEvery = 5 * kSecond;      // at sensors
  static constexpr int kRelief = 5;

  Why look(u64 now_ns);

  MachineSensors sensors_;
  u64 duty_percent_ = 100;
  int hottest_ = 0;  // 0: no limit
  bool pause_on_battery_ = false;
  u64 next_look_ns_ = 0;
  Why seen_ = Why::none;    // when sensors were last looked at
  u64 worked_from_ns_ = 0;  // this piece of work began
  u64 rest_from_ns_ = 0;
  u64 rest_end_ns_ = 0;  // by --duty; 0: it does not rest
  bool resting_ = false;
  u64 rested_ns_ = 0;
};

// "too hot", for people.
const char* name_of(Rests::Why why);

}  // namespace xmc
