// A model parsed for a test, with its messages, and a printer that shows the tree with all its
// parentheses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "front/dve/dve_check.h"
#include "front/dve/dve_parser.h"
#include "messages.h"

namespace xmc::test {

struct Parsed {
  explicit Parsed(std::string_view model, std::size_t region_bytes = std::size_t{16} << 20)
      : text(model),
        region(region_bytes),
        arena(region),
        source{"test.dve", text.view()},
        diagnostics(source, collect, &messages),
        system(arena),
        status(dve::parse(source, diagnostics, arena, system)) {}
  Parsed(const Parsed&) = delete;

  bool ok() const { return status.ok(); }
  bool says(std::string_view what) const { return messages.find(what) != std::string::npos; }
  u32 errors() const { return diagnostics.error_count(); }
  u32 warnings() const { return diagnostics.warning_count(); }

  ExactText text;
  std::vector<u8> region;
  Arena arena;
  Source source;
  std::string messages;
  Diagnostics diagnostics;
  dve::System system;
  Status status;
};

inline std::string print(const dve::System& system, dve::ExprId id);

inline std::string print_variable(const dve::System& system, u32 number) {
  const dve::Variable& variable = system.variables[number];
  std::string name(variable.name);
  if (variable.process != kNone)
    name = std::string(system.processes[variable.process].name) + "->" + name;
  return name;
}

inline std::string print(const dve::System& system, dve::ExprId id) {
  static constexpr const char* kSigns[] = {"*", "/",  "%",   "+",  "-",    "<<", ">>",
                                           "<", "<=", ">",   ">=", "==",   "!=", "&",
                                           "^", "|",  "and", "or", "imply"};
  using dve::Op;
  if (id == kNone) return "none";
  const dve::Expr& node = system.expressions[id];
  switch (node.op) {
    case Op::literal:
      return std::to_string(static_cast<i32>(node.a));
    case Op::variable:
      return print_variable(system, node.a);
    case Op::element:
      return print_variable(system, node.a) + "[" + print(system, node.b) + "]";
    case Op::in_state: {
      const dve::Process& process = system.processes[node.a];
      return std::string(process.name) + "." +
             std::string(system.states[process.first_state + node.b].name);
    }
    case Op::negate:
      return "(-" + print(system, node.a) + ")";
    case Op::bit_not:
      return "(~" + print(system, node.a) + ")";
    case Op::logical_not:
      return "(not " + print(system, node.a) + ")";
    default:
      break;
  }
  const auto sign = static_cast<u32>(node.op) - static_cast<u32>(Op::multiply);
  return "(" + print(system, node.a) + " " + kSigns[sign] + " " + print(system, node.b) + ")";
}

// The tree of one guard, over a fixed set of names, or the messages if there is none.
struct Guard {
  explicit Guard(std::string_view text)
      : parsed(
            "const int K = 5; const byte T[3] = {7, 8, 9}; byte x, y, a[3]; int i, j, k; channel "
            "c;\n"
            "process P { byte l, m[2]; state q, r; init q; trans q -> r { guard " +
            std::string(text) + "; }; }\nprocess Q { state s, t; init s; }\nsystem async;") {}
  std::string tree() const {
    if (!parsed.ok()) return parsed.messages;
    return print(parsed.system, parsed.system.transitions[0].guard);
  }
  Parsed parsed;
};

}  // namespace xmc::test
