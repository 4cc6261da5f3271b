// The fault campaign: whatever a card does, a run afterwards gives the exact verdict and counts, or
// a clear error; never a wrong answer, never a lost run where a sound checkpoint exists, never a
// crash or a hang.
//
//   fault_campaign [--seed S] [--budget SECONDS] [--cases N] [--only TEXT] [--long] [--repeat CASE]
//                  [--list] [--canary]
//
// Every engine that keeps files runs small jobs on a card in memory (platform/device_fault.h), with
// real checkpoints and the real rule of resume. An undisturbed run counts the calls that a job
// makes; then a fault is put into one of them after the other, or into files at rest. A power cut
// may hit the resumed run as well, twice. --long takes 20 minutes, and wants every kind of call of
// every engine to have been met. --canary makes checkpoints whose files may be gone after a cut,
// and fails unless that is found out. A case that fails prints the line that repeats it.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <numeric>

#include <unistd.h>

#include "case.h"
#include "tally.h"
#include "xmc/check.h"

namespace {

using namespace xmc_test;

struct Wish {
  u32 seed = 1;
  double budget = 20;
  u64 cases = ~u64{0};
  std::string only;
  std::string repeat;
  bool all_calls = false;
  bool list = false;
  bool canary = false;
};

#ifdef XMC_TEST_LIGHT
constexpr bool kLight = true;
#else
constexpr bool kLight = false;
#endif

char case_line[300];  // for a crash
constexpr unsigned kCaseSeconds = 120;

void on_crash(int signal) {
  const char* const what = signal == SIGALRM ? "\nHUNG: " : "\nCRASHED: ";
  static_cast<void>(!write(1, what, std::strlen(what)));
  static_cast<void>(!write(1, case_line, std::strlen(case_line)));
  _exit(1);
}

void on_failed_check(const char* condition, const char* file, int line) {
  std::printf("\n%s:%d: %s does not hold", file, line, condition);
  std::fflush(stdout);
}

double seconds() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Of checkpoints in the undisturbed run: another rhythm for each seed.
u32 checkpoints_of(u32 seed) { return 4 + seed % 5; }

bool parse(int count, char** words, Wish& wish) {
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const bool last = i + 1 == count;
    if (word == "--long") {
      wish.budget = 1200;
      wish.all_calls = true;
    } else if (word == "--list") {
      wish.list = true;
    } else if (word == "--canary") {
      wish.canary = true;
    } else if (last) {
      return false;
    } else if (word == "--seed") {
      wish.seed = static_cast<u32>(std::strtoul(words[++i], nullptr, 10));
    } else if (word == "--budget") {
      wish.budget = std::strtod(words[++i], nullptr);
    } else if (word == "--cases") {
      wish.cases = std::strtoull(words[++i], nullptr, 10);
    } else if (word == "--only") {
      wish.only = words[++i];
    } else if (word == "--repeat") {
      wish.repeat = words[++i];
    } else {
      return false;
    }
  }
  return true;
}

class Campaign {
 public:
  explicit Campaign(const Wish& wish) : wish_(wish) {
    const bool all = wish.repeat.empty() && wish.only.empty();
    u32 number = wish.seed;
    for (Job& job : make_jobs()) {
      // Slow builds take a part of them; the undisturbed runs alone take a while there.
      if (kLight && all && ++number % 3 != 0) continue;
      if (!wish.only.empty() && job.name().find(wish.only) == std::string::npos) continue;
      if (!wish.repeat.empty() && wish.repeat.find(job.name() + ":") != 0) continue;
      jobs_.push_back(std::move(job));
    }
  }

  int run() {
    std::printf("seed %u, %zu jobs\n", wish_.seed, jobs_.size());
    for (const Job& job : jobs_) probe(job);
    end_ = seconds() + wish_.budget;
    if (wish_.list) return failures_ == 0 ? 0 : 1;
    if (!wish_.repeat.empty()) {
      repeat();
    } else {
      for (u32 index = 0; more(); ++index) round(index);
    }
    return report();
  }

 private:
  bool more() const { return tally_.tried() < wish_.cases && seconds() < end_ && !jobs_.empty(); }

  void name_case(const Job& job, const char* fault, u32 index) {
    std::snprintf(case_line, sizeof case_line, "fault_campaign --seed %u --repeat '%s:%s:%u'\n",
                  wish_.seed, job.name().c_str(), fault, index);
    alarm(kCaseSeconds);
  }

  void probe(const Job& job) {
    name_case(job, "undisturbed", 0);
    const double begin = seconds();
    probes_.push_back(probe_job(job, checkpoints_of(wish_.seed), wish_.canary));
    const Probe& probe = probes_.back();
    tally_.expect(job.row, probe);
    if (wish_.list) {
      std::printf(
          "%-40s %6zu steps %6zu reads %6zu writes %6zu syncs %8llu bytes %6llu polls %7.1f ms\n",
          job.name().c_str(), probe.steps.size(), probe.reads.size(), probe.writes.size(),
          probe.syncs.size(), static_cast<unsigned long long>(probe.bytes),
          static_cast<unsigned long long>(probe.polls), (seconds() - begin) * 500);
    }
    if (probe.fault.empty()) return;
    ++failures_;
    std::printf("%s, undisturbed: %s\n", job.name().c_str(), probe.fault.c_str());
  }

  // Each job with each fault, in an order that a short budget cuts off somewhere else every time.
  void round(u32 index) {
    const std::size_t pairs = jobs_.size() * kFaults;
    std::size_t stride = pairs * 5 / 8 + 1;
    while (std::gcd(stride, pairs) != 1) ++stride;
    std::size_t at = (std::size_t{wish_.seed} * 7919 + index) % pairs;
    for (std::size_t i = 0; i < pairs && more(); ++i, at = (at + stride) % pairs) {
      one(at / kFaults, static_cast<Fault>(at % kFaults), index);
    }
  }

  void one(std::size_t job, Fault fault, u32 index) {
    const char* const name = kFaultNames[static_cast<u32>(fault)];
    name_case(jobs_[job], name, index);
    const CaseResult result = run_case(jobs_[job], probes_[job], fault, index, wish_.seed);
    tally_.add(jobs_[job].row, fault, result);
    if (!wish_.repeat.empty()) {
      std::printf("%s\n", kEndingNames[static_cast<u32>(result.ending)]);
    }
    if (!is_failure(result.ending)) return;
    ++failures_;
    const char* const met = result.hits.empty() ? "" : result.hits.back().name;
    std::printf("%s, %s %s: %s\n  %s", kEndingNames[static_cast<u32>(result.ending)], name, met,
                result.why.c_str(), case_line);
    std::fflush(stdout);
  }

  void repeat() {
    const std::string& text = wish_.repeat;
    const std::size_t last = text.rfind(':');
    const u32 index = static_cast<u32>(std::strtoul(text.c_str() + last + 1, nullptr, 10));
    for (u32 f = 0; f < kFaults && jobs_.size() == 1; ++f) {
      const std::string head = jobs_[0].name() + ":" + kFaultNames[f];
      if (text.substr(0, last) == head) one(0, static_cast<Fault>(f), index);
    }
  }

  int report() {
    alarm(0);
    if (wish_.repeat.empty()) tally_.print();
    const auto ended = [&](Ending e) { return static_cast<unsigned long long>(tally_.ended(e)); };
    if (wish_.all_calls) {
      for (const std::string& call : tally_.never_met()) {
        ++failures_;
        std::printf("never met: %s\n", call.c_str());
      }
    }
    std::printf(
        "%llu cases; wrong verdicts %llu, lost runs %llu, crashes 0, hangs %llu, unclear "
        "errors %llu\n",
        static_cast<unsigned long long>(tally_.tried()), ended(Ending::wrong), ended(Ending::lost),
        ended(Ending::hung), ended(Ending::unclear));
    if (tally_.tried() == 0 && wish_.repeat.empty()) return 1;
    if (wish_.canary) return tally_.ended(Ending::lost) > 0 ? 0 : 1;
    return failures_ == 0 ? 0 : 1;
  }

  const Wish& wish_;
  double end_ = 0;
  std::vector<Job> jobs_;
  std::vector<Probe> probes_;
  Tally tally_;
  u64 failures_ = 0;
};

}  // namespace

int main(int count, char** words) {
  Wish wish;
  if (!parse(count, words, wish)) {
    std::fprintf(stderr,
                 "fault_campaign [--seed S] [--budget SECONDS] [--cases N] [--only TEXT] "
                 "[--long] [--repeat CASE] [--list] [--canary]\n");
    return 64;
  }
  std::signal(SIGALRM, on_crash);
  set_failure_hook(on_failed_check);
  // A sanitizer has a better answer to these.
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGTRAP, SIGILL}) {
    if (!kLight) std::signal(signal, on_crash);
  }
  return Campaign(wish).run();
}
