// Damaged formulas, HOA automata and never claims: no crash, a message with a place inside of the
// text, sound automata, and an end within a bounded time.
//
//   fuzz_inputs [--seed S] [--runs N] FILE...
//
// A file is a list of formulas (.ltl: a name, a number and a formula in each line), an automaton
// (.hoa) or a claim (.never). Running out of the arena is part of the test, and ends that input by
// a jump.
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "ltl/formats/read.h"
#include "ltl/formats/write.h"
#include "ltl/formula/characters.h"
#include "ltl/translate.h"
#include "xmc/check.h"

namespace xmc::ltl {

namespace {

enum class Kind { formula, hoa, never };

struct Seed {
  Kind kind;
  std::string text;
};

constexpr std::size_t kRegionBytes = std::size_t{8} << 20;
constexpr double kSecondsMax = 20;  // of CPU, many times what the slowest input takes
alignas(64) u8 region[kRegionBytes];
std::jmp_buf arena_exhausted;

void on_exhaustion(const Arena&, const char*, u64) { std::longjmp(arena_exhausted, 1); }

struct Totals {
  u64 accepted = 0;
  u64 refused = 0;
  u64 exhausted = 0;
  double slowest_s = 0;
} totals;

Status count_bytes(void* self, std::string_view piece) {
  *static_cast<u64*>(self) += piece.size();
  return {};
}

void check_automaton(const Automaton& automaton) {
  XMC_CHECK(automaton.state_count() > 0);
  XMC_CHECK(automaton.first_edge.size() == automaton.state_count() + 1u);
  for (const Edge& edge : automaton.edges) {
    XMC_CHECK(edge.source < automaton.state_count());
    XMC_CHECK(edge.target < automaton.state_count());
    XMC_CHECK(edge.cube_count > 0);
    for (const Cube& cube : automaton.guard(edge)) {
      XMC_CHECK((cube.positive & cube.negative) == 0);
      const u64 known = (u64{1} << automaton.propositions.size()) - 1;
      XMC_CHECK(((cube.positive | cube.negative) & ~known) == 0);
    }
  }
  u64 bytes = 0;
  for (const auto write : {&write_hoa, &write_never, &write_dot}) {
    XMC_CHECK(write(automaton, "name", {&bytes, &count_bytes}).ok());
  }
  XMC_CHECK(bytes > 0);
}

Status take_input(const Seed& input, Arena& arena, Automaton& out, TextRange& where) {
  switch (input.kind) {
    case Kind::formula:
      return translate_text(input.text, false, arena, out, where);
    case Kind::hoa:
      return read_hoa(input.text, arena, out, where);
    default:
      return read_never(input.text, arena, out, where);
  }
}

void run_one(const Seed& input) {
  static u64 carved = 0;
  std::memset(region, 0, static_cast<std::size_t>(carved));
  Arena arena({region, kRegionBytes});
  arena.set_exhaustion_hook(&on_exhaustion);
  if (setjmp(arena_exhausted) != 0) {
    carved = kRegionBytes;
    ++totals.exhausted;
    return;
  }
  Automaton automaton;
  TextRange where;
  const Status status = take_input(input, arena, automaton, where);
  carved = arena.carved_bytes();
  if (status.ok()) {
    ++totals.accepted;
    check_automaton(automaton);
    return;
  }
  ++totals.refused;
  XMC_CHECK(!status.message().empty());
  XMC_CHECK(status.code() == Code::model || status.code() == Code::unsupported);
  if (!where.known()) return;
  XMC_CHECK(where.begin <= where.end);
  XMC_CHECK(where.end <= input.text.size());
}

const std::vector<std::string>& pieces() {
  static const std::vector<std::string> all{"(",
                                            ")",
                                            "[]",
                                            "<>",
                                            " U ",
                                            " R ",
                                            " W ",
                                            " && ",
                                            " || ",
                                            "!",
                                            " -> ",
                                            " <-> ",
                                            "\"",
                                            "G ",
                                            "X ",
                                            "p",
                                            "0",
                                            "1",
                                            "x[",
                                            "]",
                                            "{",
                                            "}",
                                            "&",
                                            "|",
                                            "@a",
                                            "t",
                                            "State: ",
                                            "--BODY--",
                                            "::",
                                            "if",
                                            "fi",
                                            "do",
                                            "od",
                                            "skip",
                                            "goto ",
                                            ";",
                                            "accept_all",
                                            "--END--",
                                            "->",
                                            ":",
                                            "/*",
                                            "*/",
                                            "Inf(",
                                            "4095",
                                            "AP: 32",
                                            "999999999999",
                                            "Acceptance: 64 ",
                                            "\n",
                                            "\\"};
  return all;
}

// One character becomes another of its class that is in the text: often still sound.
void alter(std::string& text, std::mt19937_64& random) {
  if (text.empty()) return;
  char& to = text[random() % text.size()];
  for (int tries = 0; tries < 20; ++tries) {
    const char from = text[random() % text.size()];
    const bool digits = is_digit(from) && is_digit(to);
    const bool letters = is_letter(from) && is_letter(to);
    const bool marks = !is_word(from) && !is_word(to) && !is_blank(from) && !is_blank(to);
    if (from == to || !(digits || letters || marks)) continue;
    to = from;
    return;
  }
}

std::string damage(std::string text, const std::vector<Seed>& seeds, std::mt19937_64& random) {
  for (u64 changes = 1 + random() % 3; changes > 0; --changes) {
    const std::size_t at = text.empty() ? 0 : random() % text.size();
    const std::size_t length = 1 + random() % 3;
    switch (random() % 12) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, pieces()[random() % pieces().size()]);
        break;
      case 2:
        text.insert(at, text.substr(text.empty() ? 0 : random() % text.size(), 20 * length));
        break;
      case 3:
        if (!text.empty()) text[at] = static_cast<char>(random());
        break;
      case 4: {
        const std::string& other = seeds[random() % seeds.size()].text;
        text = text.substr(0, at) + other.substr(random() % (other.size() + 1));
        break;
      }
      case 5:
        text.replace(at, length, pieces()[random() % pieces().size()]);
        break;
      default:
        alter(text, random);
    }
  }
  return text.substr(0, 20000);
}

std::vector<Seed> read_seeds(const std::string& path) {
  std::ifstream in(path);
  std::vector<Seed> seeds;
  if (path.ends_with(".ltl")) {
    std::string name, states, formula;
    while (in >> name >> states && std::getline(in, formula)) {
      seeds.push_back({Kind::formula, formula});
    }
    return seeds;
  }
  std::stringstream text;
  text << in.rdbuf();
  seeds.push_back({path.ends_with(".hoa") ? Kind::hoa : Kind::never, text.str()});
  return seeds;
}

int run(u64 seed, u64 runs, const std::vector<Seed>& seeds) {
  std::printf("seed %llu, %llu runs from %zu inputs\n", static_cast<unsigned long long>(seed),
              static_cast<unsigned long long>(runs), seeds.size());
  std::fflush(stdout);
  for (u64 i = 0; i < seeds.size() + runs; ++i) {
    std::mt19937_64 random(seed * 1'000'003 + i);
    Seed input = i < seeds.size() ? seeds[i] : seeds[random() % seeds.size()];
    if (i >= seeds.size()) input.text = damage(input.text, seeds, random);
    const std::clock_t begin = std::clock();
    run_one(input);
    const double taken = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    if (taken > totals.slowest_s) totals.slowest_s = taken;
    if (taken < kSecondsMax) continue;
    std::printf("input %llu takes %.1f s:\n%s\n", static_cast<unsigned long long>(i), taken,
                input.text.c_str());
    return 1;
  }
  std::printf("%llu accepted, %llu refused, %llu too large for the arena; slowest %.2f s\n",
              static_cast<unsigned long long>(totals.accepted),
              static_cast<unsigned long long>(totals.refused),
              static_cast<unsigned long long>(totals.exhausted), totals.slowest_s);
  return totals.accepted > 0 && totals.refused > 0 ? 0 : 1;
}

}  // namespace

}  // namespace xmc::ltl

int main(int argc, char** argv) {
  xmc::u64 seed = 1;
  xmc::u64 runs = 10000;
  std::vector<xmc::ltl::Seed> seeds;
  for (int i = 1; i < argc; ++i) {
    const bool has_value = i + 1 < argc;
    if (has_value && std::strcmp(argv[i], "--seed") == 0) {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (has_value && std::strcmp(argv[i], "--runs") == 0) {
      runs = std::strtoull(argv[++i], nullptr, 10);
    } else {
      for (const auto& read : xmc::ltl::read_seeds(argv[i])) seeds.push_back(read);
    }
  }
  return seeds.empty() ? 64 : xmc::ltl::run(seed, runs, seeds);
}
