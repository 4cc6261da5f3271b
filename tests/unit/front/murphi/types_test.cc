// Types: what they hold, how large they are, and which ones the language does not have.
#include "front/murphi/types.h"

#include <doctest/doctest.h>

#include <string>

#include "murphi_parsed.h"

using namespace xmc;

namespace types_test {

using murphi::TypeKind;
using test::kRumur;
using test::ParsedMurphi;

namespace {

// A model that has one variable `x` of this type.
struct OfType {
  explicit OfType(std::string_view type, std::string_view before = "",
                  murphi::Dialect dialect = murphi::Dialect::cmurphi)
      : parsed(std::string(before) + " var x: " + std::string(type) +
                   "; startstate begin end; rule begin end;",
               dialect) {}
  const murphi::Type& type() const {
    const murphi::System& system = parsed.system;
    return system.types[system.variables[system.variables.size() - 1].type];
  }
  bool says(std::string_view what) const { return parsed.says(what); }
  ParsedMurphi parsed;
};

}  // namespace

TEST_CASE("simple types and their bits, with one code for undefined") {
  CHECK(OfType("boolean").type().bits == 2);
  CHECK(OfType("0..2").type().bits == 2);
  CHECK(OfType("0..3").type().bits == 3);
  const OfType range("-K..K+1", "const K: 3;");
  CHECK(range.type().low == -3);
  CHECK(range.type().high == 4);
  CHECK(range.type().bits == 4);
  CHECK(OfType("enum {A, B, C,}").type().count == 3);
  CHECK(OfType("scalarset(3)").type().bits == 2);
  CHECK(OfType("scalarset(3)").type().has_scalarset);
  CHECK(OfType("0..7", "type t: 5..5;").type().bits == 4);
}

TEST_CASE("compound types count their leaves") {
  const OfType record("record a, b: 0..3; c: record d: boolean; end; end");
  REQUIRE(record.parsed.ok());
  const murphi::Type& type = record.type();
  CHECK(type.kind == TypeKind::record);
  CHECK(type.count == 3);
  CHECK(type.leaves == 3);
  CHECK(type.bits == 8);
  CHECK(type.depth == 2);
  CHECK(record.parsed.system.fields[type.first + 2].name == "c");
  CHECK(record.parsed.system.fields[type.first + 2].leaf == 2);
  const OfType array("array [boolean] of array [1..3] of 0..3");
  CHECK(array.type().leaves == 6);
  CHECK(array.type().bits == 18);
  const OfType multiset("multiset [4] of 0..3");
  CHECK(multiset.type().leaves == 8);
  CHECK(multiset.type().bits == 20);
  CHECK(multiset.type().has_multiset);
  CHECK(OfType("record end").type().leaves == 0);
}

TEST_CASE("a union counts through its parts, in the order of their declarations") {
  const OfType u("union {e, s, enum {C}}", "type s: scalarset(2); e: enum {A, B};");
  REQUIRE(u.parsed.ok());
  const murphi::Type& type = u.type();
  const murphi::System& system = u.parsed.system;
  CHECK(type.count == 3);
  CHECK(type.high == 4);
  CHECK(type.has_scalarset);
  CHECK(system.types[system.parts[type.first].type].name == "s");
  CHECK(system.parts[type.first + 1].first_value == 2);
  CHECK(system.parts[type.first + 2].first_value == 4);
  CHECK(OfType("union {e}", "type e: enum {A};").says("a union has at least two parts"));
  CHECK(OfType("union {e, e}", "type e: enum {A};").says("already has the values of type 'e'"));
  CHECK(OfType("union {e, 0..3}", "type e: enum {A};").says("is made of enums and scalarsets"));
}

TEST_CASE("globals lie one behind the other") {
  const ParsedMurphi p(
      "var a: 0..3; b: array [0..2] of boolean; c: boolean; startstate begin end; rule begin end;");
  REQUIRE(p.ok());
  CHECK(p.system.variables[0].leaf == 0);
  CHECK(p.system.variables[1].leaf == 1);
  CHECK(p.system.variables[2].leaf == 4);
  CHECK(p.system.state_leaves == 5);
  CHECK(p.system.state_bits == 3 + 6 + 2);
}

TEST_CASE("bounds and sizes are constants") {
  CHECK(OfType("3..1").says("error: the range 3..1 is empty: its lower bound comes first"));
  CHECK(OfType("0..9999999999").says("bounds of a range must be from -2147483647 to 2147483647"));
  CHECK(OfType("0..n", "var n: 0..3;").says("must be a constant; this is known only at run time"));
  CHECK(OfType("0..1/0").says("must be a constant; this divides by zero or overflows"));
  CHECK(OfType("0..true").says("a bound of a range must be an integer"));
  CHECK(OfType("scalarset(0)").says("a scalarset of 0 values; it must have from 1 to"));
  CHECK(OfType("multiset [0] of boolean").says("a multiset for 0 elements"));
  CHECK(OfType("array [t] of boolean", "type t: record a: boolean; end;")
            .says("an array's index must be of a simple type, not of type 't'"));
  CHECK(OfType("array [0..1048576] of boolean").says("a type of 1048577 simple values"));
  CHECK(OfType("nix").says("unknown type 'nix'"));
  CHECK(OfType("n", "const n: 3;").says("'n' is a constant, not a type"));
  CHECK(OfType("n..n + 2", "const n: 3;").type().high == 5);
  CHECK(OfType("record a: boolean; a: 0..1; end").says("the record already has a field 'a'"));
  CHECK(OfType("enum {A, A}").says("'A' is already the name of a constant"));
}

TEST_CASE("rumur folds what is zero or chosen whatever the rest is") {
  const char* f = "function f(): 0..1; begin return 0; end;";
  CHECK(OfType("0..false ? f() : 1", f).type().high == 1);
  CHECK(OfType("0..true ? f() : 1", f).says("known only at run time"));
  CHECK(OfType("0 * f()..1", f, kRumur).type().high == 1);
  CHECK(OfType("0 * f()..1", f).says("known only at run time"));
  CHECK(OfType("f() * 0..1", f, kRumur).says("known only at run time"));
}

TEST_CASE("reals are refused, and are names where nobody calls for them") {
  CHECK(OfType("real(4, 99)").says("real types are not supported, nor are probabilistic rules"));
  CHECK(OfType("0..1", "type real: 0..1; multiset: boolean; const log: 3;").parsed.ok());
  CHECK(OfType("real", "type real: 0..1;").type().high == 1);
}

TEST_CASE("deep types end with a message") {
  std::string deep;
  for (int i = 0; i < 70; ++i) deep += "array [0..0] of ";
  CHECK(OfType(deep + "boolean").says("nested deeper than 64 levels"));
  std::string named = "type t0: boolean; ";
  for (int i = 1; i < 70; ++i) {
    named += "t" + std::to_string(i) + ": array [0..0] of t" + std::to_string(i - 1) + "; ";
  }
  CHECK(OfType("t69", named).says("types nested deeper than 64 levels"));
}

}  // namespace types_test
