// The reference explorer on one model, for scripts and for people.
//
//     explore_model [--property NAME|none|accept|progress] [--limit N] [--define NAME[=VALUE]] FILE
//
// Diagnostics go to standard error; the figures are one line of name=value. Without a property a
// never claim that is the only one is used. Exit status 0, 1 for a violation, 65 for a model that
// is refused, 64 for an unknown property.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tests/oracle/promela/explorer.h"
#include "tests/oracle/promela/loaded.h"

namespace {

using namespace xmc;
using promela_test::Found;
using promela_test::Question;

struct Arguments {
  std::string property;
  std::vector<promela::Definition> definitions;
  const char* name = nullptr;
  u64 limit = 200000;
};

Arguments read_arguments(int argc, char** argv) {
  Arguments out;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--property" && i + 1 < argc) {
      out.property = argv[++i];
    } else if (argument == "--limit" && i + 1 < argc) {
      out.limit = std::strtoull(argv[++i], nullptr, 10);
    } else if (argument == "--define" && i + 1 < argc) {
      const std::string_view text = argv[++i];
      const std::size_t equal = text.find('=');
      out.definitions.push_back({piece_of(text, 0, equal), piece_of(text, equal + 1)});
      if (equal == std::string_view::npos) out.definitions.back() = {text, {}};
    } else {
      out.name = argv[i];
    }
  }
  return out;
}

bool choose(const promela::System& system, const std::string& property, Question& question) {
  if (property == "none") return true;
  question.system_accepts = true;
  question.cycles = !property.empty() || system.properties.size() == 1;
  question.progress = property == "progress";
  if (property == "accept" || property == "progress") return true;
  for (u32 i = 0; i < system.properties.size(); ++i) {
    const promela::Property& one = system.properties[i];
    if (one.name == property || (property.empty() && system.properties.size() == 1)) {
      question.claim = one.claim;
    }
  }
  return question.claim != kNone || (property.empty() && system.properties.empty());
}

void print(const char* name, u64 value) {
  std::printf("%s=%llu ", name, static_cast<unsigned long long>(value));
}

void print_found(const Found& found) {
  print("complete", found.complete);
  print("states", found.states);
  print("transitions", found.transitions);
  print("levels", found.levels);
  print("deadlocks", found.deadlocks);
  print("accepting", found.accepting);
  print("stuck", found.stuck);
  print("cycle", found.has_accepting_cycle);
  if (found.deadlock_steps != kNone) print("deadlock", found.deadlock_steps);
  if (found.assertion_steps != kNone) print("assertion", found.assertion_steps);
  if (found.error_steps != kNone) print("error", found.error_steps);
  if (found.claim_steps != kNone) print("claim-end", found.claim_steps);
  if (found.trace_steps != kNone) print("trace", found.trace_steps);
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = read_arguments(argc, argv);
  if (arguments.name == nullptr) return 64;
  const promela_test::Loaded model(arguments.name, arguments.definitions);
  std::fputs(model.messages.c_str(), stderr);
  if (!model.ok()) {
    std::fprintf(stderr, "%s\n", model.status.c_str());
    return 65;
  }
  Question question;
  question.limit = arguments.limit;
  if (!choose(model.system, arguments.property, question)) return 64;
  const Found found = promela_test::explore(model.system, question);
  print_found(found);
  print("kib", model.peak_bytes() >> 10);
  std::printf("\n");
  if (!found.error.empty()) std::fprintf(stderr, "%s\n", found.error.c_str());
  const bool violated = found.deadlocks > 0 || found.assertion_steps != kNone ||
                        found.error_steps != kNone || found.claim_steps != kNone ||
                        found.trace_steps != kNone || found.has_accepting_cycle;
  return violated ? 1 : 0;
}
