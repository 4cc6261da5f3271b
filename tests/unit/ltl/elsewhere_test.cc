// Automata that others have printed accept the words of the formula that they name.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "ltl/formats/read.h"
#include "ltl/translate.h"
#include "tests/ltl/lasso.h"
#include "tests/ltl/test_arena.h"

namespace xmc::ltl {
namespace elsewhere_test {

namespace {

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin) + begin.size();
  std::string out;
  for (std::size_t i = from; text.compare(i, end.size(), end) != 0; ++i) {
    if (text[i] != '\\') out += text[i];
  }
  return out;
}

std::vector<std::string> names_of(const Automaton& a, const Automaton& b) {
  std::vector<std::string> names;
  for (const Automaton* automaton : {&a, &b}) {
    for (const std::string_view text : automaton->propositions) {
      if (std::find(names.begin(), names.end(), text) == names.end()) names.emplace_back(text);
    }
  }
  return names;
}

void compare(const std::string& text, bool hoa, const std::string& formula) {
  TestArena memory;
  Automaton read;
  Automaton own;
  TextRange where;
  const Status status =
      hoa ? read_hoa(text, memory.arena, read, where) : read_never(text, memory.arena, read, where);
  INFO(status.c_str());
  REQUIRE(status.ok());
  REQUIRE(translate_text(formula, false, memory.arena, own, where).ok());
  const std::vector<std::string> names = names_of(read, own);
  std::mt19937_64 random(1);
  for (u32 i = 0; i < 400; ++i) {
    const Lasso lasso = random_lasso(random, static_cast<u32>(names.size()), 1 + i / 50);
    INFO(text_of(lasso, static_cast<u32>(names.size())));
    REQUIRE(accepts(read, lasso, names) == accepts(own, lasso, names));
  }
}

Status read_text(const std::string& text, bool hoa, TextRange& where) {
  TestArena memory;
  Automaton out;
  return hoa ? read_hoa(text, memory.arena, out, where)
             : read_never(text, memory.arena, out, where);
}

// `place` is the part of the text that the message is about.
void refused(const std::string& text, bool hoa, const std::string& place,
             const std::string& message) {
  TextRange where;
  const Status status = read_text(text, hoa, where);
  INFO(text, status.c_str());
  CHECK(!status.ok());
  CHECK(status.message().find(message) != std::string_view::npos);
  REQUIRE(where.known());
  CHECK(text.substr(where.begin, where.end - where.begin) == place);
}

std::string hoa(const std::string& acceptance, const std::string& body) {
  return "HOA: v1 States: 2 Start: 0 AP: 1 \"a\" " + acceptance + " --BODY-- " + body + " --END--";
}

const std::string kBuchi = "Acceptance: 1 Inf(0)";

}  // namespace

TEST_CASE("automata of other tools") {
  u32 count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/ltl/elsewhere")) {
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    INFO(entry.path().string());
    const bool is_hoa = entry.path().extension() == ".hoa";
    compare(text.str(), is_hoa,
            is_hoa ? between(text.str(), "name: \"", "\"\n") : between(text.str(), "/* ", "*/"));
    ++count;
  }
  CHECK(count >= 20);
}

TEST_CASE("HOA automata that are refused") {
  refused("HOA: v2", true, "v2", "expected v1");
  refused("never {}", true, "never", "expected HOA:");
  refused(hoa("acc-name: co-Buchi Acceptance: 1 Fin(0)", ""), true, "1",
          "acceptance co-Buchi is not read");
  refused(hoa("acc-name: Rabin 1 Acceptance: 2 Fin(0)&Inf(1)", ""), true, "2",
          "acceptance Rabin 1 is not read");
  refused(hoa("Acceptance: 2 Inf(0)|Inf(1)", ""), true, "2", "acceptance is not read");
  refused(hoa("Acceptance: 1 Inf(!0)", ""), true, "1", "acceptance is not read");
  refused(hoa(kBuchi + " Unknown: x", ""), true, "Unknown", "not known here");
  refused(hoa(kBuchi, "State: 0 [0] 2"), true, "2", "must be below 2");
  refused(hoa(kBuchi, "State: 0 [1] 0"), true, "1", "must be below 1");
  refused(hoa(kBuchi, "State: 0 [0] 0 {1}"), true, "1", "must be below 1");
  refused(hoa(kBuchi, "State: 0 [0] 0&1"), true, "&", "alternating");
  refused(hoa(kBuchi, "State: 0 [@x] 0"), true, "@x", "not defined");
  refused(hoa(kBuchi, "State: 0 [0 0"), true, "0", "expected ']'");
  refused(hoa(kBuchi, "State: 0 0"), true, "State", "2 are needed");
  refused(hoa(kBuchi, "State: 0 [t] 0 State: 0"), true, "State", "twice");
  refused(hoa("", "State: 0"), true, "--BODY--", "expected Acceptance:");
  refused("HOA: v1 AP: 33", true, "33", "must be below 33");
  refused("HOA: v1 name: \"x", true, "\"x", "not closed");
}

TEST_CASE("never claims that are refused") {
  refused("claim {", false, "claim", "expected never");
  refused("never { }", false, "}", "expected a state");
  refused("never { T0: if :: p -> goto T1 fi }", false, "T1", "no state with this label");
  refused("never { T0: if :: p -> goto T0 }", false, "if", "if has no fi");
  refused("never { T0: if :: p q -> goto T0 fi }", false, "q", "expected an operator");
  refused("never { T0: T0: skip }", false, "T0", "twice");
  refused("never { T0: if :: p -> x = 1 fi }", false, "x", "expected goto");
  refused("never { T0: if :: else -> goto T0 fi }", false, "else", "not read");
  refused("never { T0: x = 1 }", false, "x", "expected if");
  refused("never { T0: skip", false, "", "found the end");
}

}  // namespace elsewhere_test
}  // namespace xmc::ltl
