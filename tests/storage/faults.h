// What a card does to a run, how that ended, and what calls there are that it can happen in.
#pragma once

#include <string>
#include <vector>

#include "platform/device_fault.h"
#include "xmc/types.h"

namespace xmc_test {

using namespace xmc;

enum class Fault : u8 {
  cut_dropped,
  cut_torn,
  cut_reordered,
  cut_mixed,
  read_error,
  write_error,
  sync_error,
  full,
  flip_at_rest,
  flip_in_flight,
  roots,
  misplaced,
};
inline constexpr u32 kFaults = 12;
inline constexpr const char* kFaultNames[kFaults] = {
    "cut:dropped", "cut:torn", "cut:reordered", "cut:mixed", "EIO:read",  "EIO:write",
    "EIO:sync",    "ENOSPC",   "flip:rest",     "flip:read", "root:slot", "misplaced"};

enum class Ending : u8 {
  not_met,  // the run was over before the fault, or there was nothing to damage
  at_once,  // the fault changed nothing
  resumed,
  older,    // from the checkpoint before the last one
  again,    // there was no checkpoint yet
  refused,  // a clear error, of a run that is damaged beyond what two slots cover
  wrong,
  lost,
  unclear,  // an error that does not say what is wrong where
  hung,
};
inline constexpr u32 kEndings = 10;
inline constexpr const char* kEndingNames[kEndings] = {"not met",
                                                       "exact at once",
                                                       "exact after resume",
                                                       "exact from older checkpoint",
                                                       "exact, begun anew",
                                                       "clear error",
                                                       "WRONG",
                                                       "LOST",
                                                       "UNCLEAR ERROR",
                                                       "HUNG"};
inline bool is_failure(Ending ending) { return ending >= Ending::wrong; }

// Calls by what they are for: reads and appends by their purpose, the others by their kind.
inline constexpr u32 kClasses = 2 * kPurposes + 4;
inline u32 class_of(const FaultEvent& event) {
  const u32 purpose = static_cast<u32>(event.purpose);
  switch (event.kind) {
    case FaultEvent::Kind::read:
      return purpose;
    case FaultEvent::Kind::append:
      return kPurposes + purpose;
    case FaultEvent::Kind::sync:
      return 2 * kPurposes;
    case FaultEvent::Kind::replace:
      return 2 * kPurposes + 1;
    case FaultEvent::Kind::truncate:
      return 2 * kPurposes + 2;
    default:
      return 2 * kPurposes + 3;
  }
}
inline std::string class_name(u32 c) {
  static const char* const others[] = {"sync", "root", "cut off", "names"};
  if (c >= 2 * kPurposes) return others[c - 2 * kPurposes];
  return std::string(c < kPurposes ? "r:" : "w:") + kPurposeNames[c % kPurposes];
}

struct CaseResult {
  Ending ending = Ending::not_met;
  std::vector<FaultEvent> hits;
  std::string damaged;  // the file that was damaged at rest
  std::string why;      // of a failure
};

}  // namespace xmc_test
