#include "tally.h"

#include <algorithm>
#include <cstdio>

namespace xmc_test {

namespace {

unsigned long long wide(u64 value) { return value; }

constexpr int kRowWidth = 31;

}  // namespace

void Tally::expect(const std::string& row, const Probe& probe) {
  if (rows_.count(row) == 0) order_.push_back(row);
  Row& r = rows_[row];
  for (const u8 c : probe.steps) ++r.calls[c];
  for (const u8 c : probe.reads) ++r.calls[c];
}

void Tally::add(const std::string& row, Fault fault, const CaseResult& result) {
  const auto f = static_cast<u32>(fault);
  ++endings_[f][static_cast<u32>(result.ending)];
  if (result.ending == Ending::not_met) return;
  Row& r = rows_[row];
  ++r.cases[f];
  for (const FaultEvent& hit : result.hits) ++r.met[class_of(hit)];
  if (!result.damaged.empty()) {
    const std::string& file = result.damaged;
    const bool numbered = file.find_last_of('.') != std::string::npos &&
                          std::all_of(file.begin() + static_cast<long>(file.rfind('.')) + 1,
                                      file.end(), [](char c) { return c >= '0' && c <= '9'; });
    ++damaged_[numbered ? file.substr(0, file.rfind('.')) + ".N" : file];
  }
}

u64 Tally::ended(Ending ending) const {
  u64 count = 0;
  for (const auto& by_ending : endings_) count += by_ending[static_cast<u32>(ending)];
  return count;
}

u64 Tally::tried() const {
  u64 count = 0;
  for (const auto& [name, row] : rows_) {
    for (const u64 cases : row.cases) count += cases;
  }
  return count;
}

void Tally::print_cases() const {
  std::printf("\n%-*s", kRowWidth, "cases tried");
  for (const char* name : kFaultNames) std::printf(" %13s", name);
  std::printf("\n");
  u64 sums[kFaults] = {};
  for (const std::string& name : order_) {
    std::printf("%-*s", kRowWidth, name.c_str());
    for (u32 f = 0; f < kFaults; ++f) {
      const u64 cases = rows_.at(name).cases[f];
      sums[f] += cases;
      std::printf(" %13llu", wide(cases));
    }
    std::printf("\n");
  }
  std::printf("%-*s", kRowWidth, "all");
  for (const u64 sum : sums) std::printf(" %13llu", wide(sum));
  std::printf("\n");
}

void Tally::print_endings() const {
  std::printf("\n%-*s", kRowWidth, "how they ended");
  for (const char* name : kFaultNames) std::printf(" %13s", name);
  std::printf("\n");
  for (u32 e = 1; e < kEndings; ++e) {
    std::printf("%-*s", kRowWidth, kEndingNames[e]);
    for (const auto& by_ending : endings_) std::printf(" %13llu", wide(by_ending[e]));
    std::printf("\n");
  }
}

// "-": it does not occur.
void Tally::print_classes() const {
  std::vector<u32> used;
  for (u32 c = 0; c < kClasses; ++c) {
    for (const auto& [name, row] : rows_) {
      if (row.calls[c] + row.met[c] == 0) continue;
      used.push_back(c);
      break;
    }
  }
  std::printf("\n%-*s", kRowWidth, "calls that a fault met");
  for (const u32 c : used) std::printf(" %12s", class_name(c).c_str());
  std::printf("\n");
  for (const std::string& name : order_) {
    const Row& row = rows_.at(name);
    std::printf("%-*s", kRowWidth, name.c_str());
    for (const u32 c : used) {
      if (row.calls[c] + row.met[c] == 0) {
        std::printf(" %12s", "-");
      } else {
        std::printf(" %12llu", wide(row.met[c]));
      }
    }
    std::printf("\n");
  }
}

void Tally::print() const {
  print_cases();
  print_endings();
  print_classes();
  std::printf("\ndamaged at rest:");
  for (const auto& [file, count] : damaged_) std::printf(" %s %llu", file.c_str(), wide(count));
  std::printf("\n\n");
}

std::vector<std::string> Tally::never_met() const {
  std::vector<std::string> missing;
  for (const std::string& name : order_) {
    const Row& row = rows_.at(name);
    for (u32 c = 0; c < kClasses; ++c) {
      if (row.calls[c] > 0 && row.met[c] == 0) missing.push_back(name + " " + class_name(c));
    }
  }
  return missing;
}

}  // namespace xmc_test
