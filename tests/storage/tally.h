// What the campaign has tried, and how it ended, as tables.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "faults.h"
#include "probe.h"

namespace xmc_test {

class Tally {
 public:
  // Calls that occur in an undisturbed run of the row.
  void expect(const std::string& row, const Probe& probe);
  void add(const std::string& row, Fault fault, const CaseResult& result);

  void print() const;
  // Rows and classes of calls that occur and were never met.
  std::vector<std::string> never_met() const;
  u64 ended(Ending ending) const;
  u64 tried() const;

 private:
  struct Row {
    u64 cases[kFaults] = {};
    u64 calls[kClasses] = {};
    u64 met[kClasses] = {};
  };
  void print_cases() const;
  void print_endings() const;
  void print_classes() const;

  std::vector<std::string> order_;
  std::map<std::string, Row> rows_;
  u64 endings_[kFaults][kEndings] = {};
  std::map<std::string, u64> damaged_;  // files at rest, without their numbers
};

}  // namespace xmc_test
