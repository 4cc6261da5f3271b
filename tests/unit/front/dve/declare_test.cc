// Declarations of variables and channels.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "parsed.h"

using namespace xmc;

namespace declare_test {

using test::Parsed;

namespace {

constexpr std::string_view kRest = "\nprocess P { state q; init q; }\nsystem async;";

struct Declared : Parsed {
  explicit Declared(std::string_view declarations)
      : Parsed(std::string(declarations) + std::string(kRest)) {}
  std::vector<i32> values(u32 variable) const {
    const dve::Variable& v = system.variables[variable];
    std::vector<i32> out;
    for (u32 i = 0; i < v.size; ++i) out.push_back(system.values[v.first_value + i]);
    return out;
  }
};

using Values = std::vector<i32>;

}  // namespace

TEST_CASE("variables, constants and arrays with their values") {
  const Declared d(
      "const byte N = 3; byte x, y = N; int a[4] = {-1, N, y + 1}, b[2];\nconst int T[2] = {5, "
      "6};");
  REQUIRE(d.ok());
  REQUIRE(d.system.variables.size() == 6);
  CHECK(d.system.variables[0].is_constant);
  CHECK(d.system.variables[0].is_byte);
  CHECK_FALSE(d.system.variables[1].is_constant);
  CHECK(d.system.variables[3].name == "a");
  CHECK(d.system.variables[3].is_array);
  CHECK_FALSE(d.system.variables[3].is_byte);
  CHECK(d.system.variables[3].process == kNone);
  CHECK(d.system.variables[5].line == 2);
  CHECK(d.values(0) == Values{3});
  CHECK(d.values(1) == Values{0});
  CHECK(d.values(2) == Values{3});
  CHECK(d.values(3) == Values{-1, 3, 4, 0});
  CHECK(d.values(4) == Values{0, 0});
  CHECK(d.values(5) == Values{5, 6});
  CHECK(d.warnings() == 0);
}

TEST_CASE("initial values may use what has one") {
  const Declared d("byte a[2] = {4, 5}, x = a[1], y = x * 2 - (1 << 1), z = 0 and 1 / 0;");
  REQUIRE(d.ok());
  CHECK(d.values(1) == Values{5});
  CHECK(d.values(2) == Values{8});
  CHECK(d.values(3) == Values{0});
  CHECK(Declared("byte x, y = x;").says("'x' has no initial value to be used here"));
  CHECK(Declared("byte x = x;").says("'x' has no initial value"));
  CHECK(Declared("byte x = y;").says("unknown variable 'y'"));
  CHECK(Declared("byte x = P.q;").says("cannot depend on the state of a process"));
  CHECK(Declared("byte x = P->y;").says("cannot use a variable of another process"));
  CHECK(Declared("byte x = 1 / 0;").says("divides by zero or reads outside an array"));
  CHECK(Declared("const byte a[2] = {1}; byte x = a[2];")
            .says("divides by zero or reads outside an array"));
}

TEST_CASE("initial values must fit their type") {
  CHECK(Declared("byte x = 255; int y = -32768, z = 32767;").ok());
  CHECK(Declared("byte x = 256;").says("256 does not fit a byte, which holds 0 to 255"));
  CHECK(Declared("byte x = -1;").says("-1 does not fit a byte"));
  CHECK(Declared("int x = 32768;").says("32768 does not fit an int, which holds -32768 to 32767"));
  CHECK(Declared("int x = -32769;").says("does not fit an int"));
  CHECK(Declared("byte a[2] = {1, 999};").says("999 does not fit a byte"));
}

TEST_CASE("short lists are filled with zero, long ones are cut with a warning") {
  const Declared d("byte a[3] = {1, 0 ,0 ,0 }, b[3] = {9};");
  REQUIRE(d.ok());
  CHECK(d.warnings() == 1);
  CHECK(d.says("4 values for the 3 elements of 'a'; the surplus is dropped"));
  CHECK(d.values(0) == Values{1, 0, 0});
  CHECK(d.values(1) == Values{9, 0, 0});
  CHECK(Declared("byte a[1] = {1, 9999};").ok());
}

TEST_CASE("braces belong to arrays") {
  CHECK(Declared("byte x = {1};").says("'x' is not an array; write one value without braces"));
  CHECK(Declared("byte a[2] = 1;").says("the initial values of an array are written { ... }"));
  CHECK(Declared("byte a[2] = {};").says("expected an expression before '}'"));
}

TEST_CASE("array sizes are literals from 1") {
  CHECK(Declared("byte a[4096];").ok());
  CHECK(Declared("byte a[4097];").says("the size of an array is 4097; it must be from 1 to 4096"));
  CHECK(Declared("byte a[0];").says("it must be from 1 to 4096"));
  CHECK(Declared("const byte N = 2; byte a[N];")
            .says("the size of an array must be a number; a name is not allowed"));
  CHECK(Declared("byte a[];").says("expected a number before ']'"));
  CHECK(Declared("byte a[2;").says("expected ']' before ';'"));
  CHECK(Declared("byte a[-1];").says("expected a number before '-'"));
}

TEST_CASE("names are unique in a scope") {
  const Declared d("byte x; channel x;");
  CHECK(d.says("'x' is already the name of a variable"));
  CHECK(d.says("note: 'x' is declared here"));
  CHECK(d.errors() == 1);
  CHECK(Declared("byte P;").says("'P' is already the name of a variable"));
  CHECK(Declared("channel c, c;").says("'c' is already the name of a channel"));
  CHECK(Declared("byte state;").says("expected the name of a variable, but 'state' is a keyword"));
}

TEST_CASE("a constant without value is 0") {
  const Declared d("const int c; byte x = c;");
  CHECK(d.ok());
  CHECK(d.says("constant 'c' is given no value and is 0"));
}

TEST_CASE("channels") {
  const Declared d("channel a, b; channel {byte, int} t[3], u[0];");
  REQUIRE(d.ok());
  REQUIRE(d.system.channels.size() == 4);
  CHECK_FALSE(d.system.channels[0].typed);
  CHECK(d.system.channels[1].name == "b");
  const dve::Channel& t = d.system.channels[2];
  CHECK(t.typed);
  CHECK(t.capacity == 3);
  CHECK(t.value_count == 2);
  CHECK(d.system.types[t.first_type] == 1);
  CHECK(d.system.types[t.first_type + 1] == 0);
  CHECK(d.system.channels[3].capacity == 0);
  CHECK(d.system.channels[3].first_type == t.first_type);
  CHECK(Declared("channel a[2];").says("a channel with a buffer must have types"));
  CHECK(Declared("channel {byte} a;").says("needs a capacity: a[0]"));
  CHECK(Declared("channel {} a[1];").says("expected 'byte' or 'int' before '}'"));
  CHECK(Declared("channel {byte, int} a[2048];").ok());
  CHECK(Declared("channel {byte, int} a[2049];")
            .says("the capacity of a channel is 2049; it must be from 0 to 2048"));
}

TEST_CASE("a channel carries a bounded number of values") {
  std::string types = "byte";
  for (u32 i = 1; i < 64; ++i) types += ", int";
  CHECK(Declared("channel {" + types + "} a[1];").ok());
  CHECK(
      Declared("channel {" + types + ", byte} a[1];").says("a channel carries at most 64 values"));
}

TEST_CASE("a mistake in one declaration leaves the others readable") {
  const Declared d("byte x = ; int y = 5 6, w; byte z[2] = {1,,2}; channel c!; byte v = 1;");
  CHECK(d.errors() == 4);
  CHECK(d.system.variables[d.system.variables.size() - 1].name == "v");
}

}  // namespace declare_test
