// A Murphi model parsed for a test, with its messages, and a printer that shows the tree with all
// its parentheses and conversions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "front/murphi/parser.h"
#include "messages.h"
#include "tests/murphi/tree_check.h"

namespace xmc::test {

struct ParsedMurphi {
  explicit ParsedMurphi(std::string_view model,
                        murphi::Dialect dialect_in = murphi::Dialect::cmurphi,
                        std::size_t region_bytes = std::size_t{16} << 20)
      : text(model),
        region(region_bytes),
        arena(region),
        source{"test.m", text.view()},
        diagnostics(source, collect, &messages),
        system(arena),
        dialect(dialect_in),
        status(murphi::parse(source, diagnostics, arena, dialect, system)) {
    if (status.ok()) murphi_test::check_tree(system);
  }
  ParsedMurphi(const ParsedMurphi&) = delete;

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
  murphi::System system;
  murphi::Dialect dialect;
  Status status;
};

inline constexpr murphi::Dialect kRumur = murphi::Dialect::rumur;

std::string print(const murphi::System& system, murphi::ExprId id);

inline std::string print_literal(const murphi::System& system, const murphi::Expr& node) {
  const murphi::Type& type = system.types[node.type];
  const auto at = static_cast<u32>(node.value);
  if (type.kind == murphi::TypeKind::boolean) return node.value != 0 ? "true" : "false";
  if (type.kind == murphi::TypeKind::enumeration)
    return std::string(system.members[type.first + at].name);
  if (type.kind == murphi::TypeKind::union_of) return "#" + std::to_string(node.value);
  return std::to_string(node.value);
}

inline std::string print_binary(const murphi::System& system, const murphi::Expr& node) {
  static constexpr const char* kSigns[] = {"*",  "/", "%",  "+",  "-",  "<<", ">>", "<", "<=", ">",
                                           ">=", "=", "!=", "&b", "^b", "|b", "&",  "|", "->"};
  const auto sign = static_cast<u32>(node.op) - static_cast<u32>(murphi::Op::multiply);
  return "(" + print(system, node.a) + " " + kSigns[sign] + " " + print(system, node.b) + ")";
}

inline std::string print_call(const murphi::System& system, const murphi::Expr& node) {
  std::string out = std::string(system.routines[node.a].name) + "(";
  for (u32 i = 0; i < node.c; ++i) {
    out += (i > 0 ? ", " : "") + print(system, system.arguments[node.b + i]);
  }
  return out + ")";
}

inline std::string print(const murphi::System& system, murphi::ExprId id) {
  using murphi::Op;
  if (id == kNone) return "none";
  const murphi::Expr& node = system.expressions[id];
  const auto name = [&](u32 variable) { return std::string(system.variables[variable].name); };
  switch (node.op) {
    case Op::literal:
      return print_literal(system, node);
    case Op::undefined:
      return "undefined";
    case Op::variable:
      return name(node.a);
    case Op::field:
      return print(system, node.a) + "." + std::string(system.fields[node.b].name);
    case Op::element:
      return print(system, node.a) + "[" + print(system, node.b) + "]";
    case Op::call:
      return print_call(system, node);
    case Op::to_union:
      return "to(" + print(system, node.a) + ")";
    case Op::from_union:
      return "from(" + print(system, node.a) + ")";
    case Op::negate:
      return "(-" + print(system, node.a) + ")";
    case Op::bit_not:
      return "(~" + print(system, node.a) + ")";
    case Op::logical_not:
      return "(!" + print(system, node.a) + ")";
    case Op::conditional:
      return "(" + print(system, node.a) + " ? " + print(system, node.b) + " : " +
             print(system, node.c) + ")";
    case Op::forall:
      return "all " + name(node.a) + " (" + print(system, node.b) + ")";
    case Op::exists:
      return "some " + name(node.a) + " (" + print(system, node.b) + ")";
    case Op::is_undefined:
      return "undefined?(" + print(system, node.a) + ")";
    case Op::is_member:
      return "member?(" + print(system, node.a) + ")";
    case Op::count:
      return "count " + name(node.a) + " (" + print(system, node.b) + ")";
    default:
      return print_binary(system, node);
  }
}

// A model of many declarations with one rule in it.
inline constexpr std::string_view kDeclarations =
    "const K: 5; type t: 0..9; e: enum {A, B, C}; s: scalarset(3); u: union {s, e};\n"
    "r: record f, g: t; b: boolean; end; v: array [t] of r;\n"
    "var x, y: t; p, q: boolean; c: e; i, j: s; w: u; o: r; a: v; m: multiset [2] of r;\n"
    "n: array [s] of e;\n"
    "function F(a: t): t; begin return a; end;\n"
    "procedure P(var a: t; b: t); begin a := b; end;\n"
    "startstate begin end;\n";

inline std::string with_rule(std::string_view rule) {
  return std::string(kDeclarations) + std::string(rule);
}

// The tree of one guard, or the messages if there is none.
struct MurphiGuard {
  explicit MurphiGuard(std::string_view text, murphi::Dialect dialect = murphi::Dialect::cmurphi)
      : parsed(with_rule("ruleset z: s do rule " + std::string(text) + " ==> begin end; end;"),
               dialect) {}
  std::string tree() const {
    if (!parsed.ok()) return parsed.messages;
    return print(parsed.system, parsed.system.rules[1].guard);
  }
  bool says(std::string_view what) const { return parsed.says(what); }
  ParsedMurphi parsed;
};

// A rule with these statements; its first one is statement().
struct MurphiBody {
  explicit MurphiBody(std::string_view text, murphi::Dialect dialect = murphi::Dialect::cmurphi)
      : parsed(with_rule("ruleset z: s do rule begin " + std::string(text) + " end; end;"),
               dialect) {}
  bool ok() const { return parsed.ok(); }
  bool says(std::string_view what) const { return parsed.says(what); }
  const murphi::Stmt& statement() const {
    return parsed.system.statements[parsed.system.rules[1].body];
  }
  const murphi::Stmt& at(murphi::StmtId id) const { return parsed.system.statements[id]; }
  std::string print(murphi::ExprId id) const { return test::print(parsed.system, id); }
  ParsedMurphi parsed;
};

}  // namespace xmc::test
