// The name of a work directory that the user gave none: it tells the model and the question.
//
//   MODEL.xmc               the model, as its text asks to be checked
//   MODEL-p1.xmc            --property p1
//   MODEL-deadlock-off.xmc  another option that says what is checked
//   MODEL-ltl-1f0c93aa.xmc  one whose value is no plain word, or several of them: digits of a hash
//   MODEL+2.xmc             the second run of one question at a time, and so on
//
// MODEL is the name of the file without folder and suffix; control characters become "_", and a
// name of more than kModelNameBytes is cut and gets the digits of its hash.
#pragma once

#include "cli/options/options.h"
#include "platform/files.h"
#include "xmc/types.h"

namespace xmc {

class WorkName {
 public:
  static constexpr u32 kModelNameBytes = 160;
  // Runs of one question in one folder at one time: far more than a machine has cores.
  static constexpr u32 kMost = 256;

  WorkName() = default;
  void choose(std::string_view model_file, const Options& options);
  // The first is number 1. Valid until the next call.
  const char* numbered(u32 number);

 private:
  char base_[kModelNameBytes + 64] = {};
  char path_[kModelNameBytes + 80] = {};
};

}  // namespace xmc
