// Feeds arbitrary bytes to the DVE parser and checks what comes out.
//
// With libFuzzer:   clang++ -fsanitize=fuzzer,address,undefined ... tools/fuzz_dve.cc
// src/front/*.cc src/front/dve/*.cc src/core/*.cc
//                   ./fuzz_dve -dict=tests/fuzz/dve.dict -runs=1000000 CORPUS tests/fuzz/dve
// Without:          g++ -DXMC_FUZZ_STANDALONE -fsanitize=address,undefined ... the same sources
//                   ./fuzz_dve --seed 1 --runs 1000000 tests/fuzz/dve/*
//
// An input is a model; what follows its last form feed, if there is one, is an expression in the
// manner of
// --invariant. The arena is small on purpose: running out of it is part of the test, and ends that
// input by a jump.
#include <csetjmp>
#include <cstdlib>
#include <string_view>

#include "front/dve/dve_check.h"
#include "front/dve/dve_parser.h"
#include "xmc/check.h"

namespace {

using namespace xmc;

constexpr u64 kRegionBytes = u64{2} << 20;
alignas(64) u8 region[kRegionBytes];
std::jmp_buf arena_exhausted;

void on_exhaustion(const Arena&, const char*, u64) { std::longjmp(arena_exhausted, 1); }

u64 message_bytes = 0;
void count_message(void*, std::string_view text) { message_bytes += text.size(); }

void check_expression(const dve::System& system, dve::ExprId id) {
  using dve::Op;
  const dve::Expr& node = system.expressions[id];
  switch (node.op) {
    case Op::literal:
      break;
    case Op::variable:
      XMC_CHECK(node.a < system.variables.size());
      break;
    case Op::element:
      XMC_CHECK(node.a < system.variables.size());
      XMC_CHECK(system.variables[node.a].is_array);
      XMC_CHECK(node.b < id);
      break;
    case Op::in_state:
      XMC_CHECK(node.a < system.processes.size());
      XMC_CHECK(node.b < system.processes[node.a].state_count);
      break;
    case Op::negate:
    case Op::bit_not:
    case Op::logical_not:
      XMC_CHECK(node.a < id);
      break;
    default:
      XMC_CHECK(node.a < id);
      XMC_CHECK(node.b < id);
  }
}

void check_lvalue(const dve::System& system, const dve::LValue& target) {
  XMC_CHECK(target.variable < system.variables.size());
  const dve::Variable& variable = system.variables[target.variable];
  XMC_CHECK(!variable.is_constant);
  if (target.index == kNone) return;
  XMC_CHECK(variable.is_array);
  XMC_CHECK(target.index < system.expressions.size());
}

void check_transition(const Source& source, const dve::System& system, const dve::Transition& t) {
  const dve::Process& process = system.processes[t.process];
  XMC_CHECK(t.source < process.state_count);
  XMC_CHECK(t.target < process.state_count);
  XMC_CHECK(t.guard == kNone || t.guard < system.expressions.size());
  XMC_CHECK(t.text_begin < t.text_end);
  XMC_CHECK(t.text_end <= source.text.size());
  XMC_CHECK(source.text[t.text_end - 1] == '}');
  XMC_CHECK((t.sync == dve::Sync::none) == (t.channel == kNone));
  if (t.sync != dve::Sync::none) {
    const dve::Channel& channel = system.channels[t.channel];
    XMC_CHECK(t.value_count == channel.value_count || (channel.typed && t.value_count == 0));
  }
  for (u32 i = 0; i < t.value_count; ++i) {
    if (t.sync == dve::Sync::send) {
      XMC_CHECK(system.sent[t.first_value + i] < system.expressions.size());
    } else {
      check_lvalue(system, system.received[t.first_value + i]);
    }
  }
  for (u32 i = 0; i < t.assignment_count; ++i) {
    const dve::Assignment& assignment = system.assignments[t.first_assignment + i];
    check_lvalue(system, assignment.target);
    XMC_CHECK(assignment.value < system.expressions.size());
  }
}

// What every consumer of an accepted model takes for granted.
void check_system(const Source& source, const dve::System& system) {
  XMC_CHECK(!system.processes.empty());
  XMC_CHECK(system.property == kNone || system.property < system.processes.size());
  for (u32 i = 0; i < system.expressions.size(); ++i) check_expression(system, i);
  for (u32 i = 0; i < system.variables.size(); ++i) {
    const dve::Variable& variable = system.variables[i];
    XMC_CHECK(variable.size >= 1);
    XMC_CHECK(variable.first_value + variable.size <= system.values.size());
    for (u32 k = 0; k < variable.size; ++k) {
      const i32 value = system.values[variable.first_value + k];
      XMC_CHECK(variable.is_byte ? value >= 0 && value <= 255 : value >= -32768 && value <= 32767);
    }
  }
  u32 transitions = 0;
  for (u32 p = 0; p < system.processes.size(); ++p) {
    const dve::Process& process = system.processes[p];
    XMC_CHECK(process.state_count > 0);
    XMC_CHECK(process.initial < process.state_count);
    XMC_CHECK(process.first_transition == transitions);
    transitions += process.transition_count;
    for (u32 t = 0; t < process.transition_count; ++t) {
      XMC_CHECK(system.transitions[process.first_transition + t].process == p);
      check_transition(source, system, system.transitions[process.first_transition + t]);
    }
  }
  XMC_CHECK(transitions == system.transitions.size());
  for (u32 i = 0; i < system.assertions.size(); ++i) {
    XMC_CHECK(system.assertions[i].condition < system.expressions.size());
  }
}

void parse_and_check(std::string_view input) {
  const std::size_t feed = input.rfind('\f');
  const std::string_view model = input.substr(0, feed);
  Arena arena(region);
  arena.set_exhaustion_hook(on_exhaustion);
  const Source source{"fuzz.dve", model};
  Diagnostics diagnostics(source, count_message, nullptr);
  dve::System system(arena);
  const Status parsed = dve::parse(source, diagnostics, arena, system);
  XMC_CHECK(parsed.ok() == (diagnostics.error_count() == 0));
  if (!parsed.ok()) return;
  check_system(source, system);
  for (u32 p = 0; p < system.processes.size(); ++p) {
    XMC_CHECK(dve::find_process(system, system.processes[p].name) == p);
    static_cast<void>(dve::check_property(source, diagnostics, system, p).ok());
  }
  if (feed == std::string_view::npos) return;
  const Source command{"--invariant", input.substr(feed + 1)};
  Diagnostics command_diagnostics(command, count_message, nullptr);
  const Result<dve::ExprId> made =
      dve::parse_expression(command, command_diagnostics, arena, system);
  XMC_CHECK(made.ok() == (command_diagnostics.error_count() == 0));
  if (made.ok()) XMC_CHECK(made.value() < system.expressions.size());
  for (u32 i = 0; i < system.expressions.size(); ++i) check_expression(system, i);
}

void run_one(std::string_view input) {
  if (setjmp(arena_exhausted) == 0) parse_and_check(input);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  run_one({reinterpret_cast<const char*>(data), size});
  return 0;
}

#ifdef XMC_FUZZ_STANDALONE

#include "tools/fuzz_text.h"

namespace {

constexpr std::string_view kPieces[] = {
    "process ",   "state ",  "init ",      "trans ",     "guard ",
    "sync ",      "effect ", "channel ",   "const ",     "byte ",
    "int ",       "commit ", "accept ",    "assert ",    "system async",
    " property ", "{",       "}",          "(",          ")",
    "[",          "]",       ";",          ",",          "->",
    ".",          "!",       "?",          "=",          "==",
    " and ",      " or ",    " imply ",    " not ",      "-",
    "~",          "<<",      "|",          "&",          "^",
    "/",          "%",       "0",          "1",          "-1",
    "255",        "32768",   "2147483647", "2147483648", "//",
    "/*",         "*/",      "\\\n",       "\f",         "P",
    "x",          "q",       "a[0]",       "P.q",        "P->x",
    "c!x;",       "c?x;",    "{1,2}",      "\xFF",       "\n",
};

}  // namespace

int main(int argc, char** argv) {
  const int status = fuzz_text::main(
      {"fuzz_dve", kPieces, "process P { state q; init q; } system async;", run_one}, argc, argv);
  std::fprintf(stderr, "%llu bytes of messages\n", static_cast<unsigned long long>(message_bytes));
  return status;
}

#endif
