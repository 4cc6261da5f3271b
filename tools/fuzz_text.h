// Damaged texts for a parser, where libFuzzer is not at hand: seeds with pieces inserted, erased,
// doubled and mixed. The runs are the same on every machine. An input that ends the process is left
// in NAME.crash, to be given back to the program as a seed with --runs 0.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xmc/check.h"
#include "xmc/types.h"

// There only when a sanitizer is.
extern "C" [[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());

namespace fuzz_text {

using namespace xmc;

struct Target {
  const char* name;
  std::span<const std::string_view> pieces;
  std::string_view seed;  // if no other is given
  void (*run)(std::string_view input);
};

inline std::string current;
inline const char* current_name = "";

inline void save_current() {
  const std::string name = std::string(current_name) + ".crash";
  std::ofstream(name, std::ios::binary) << current;
  std::fprintf(stderr, "the input is in %s\n", name.c_str());
}

inline void on_failed_check(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, condition);
  save_current();
  std::abort();
}

struct Random {  // splitmix64
  u64 state;
  u64 next() {
    u64 z = (state += 0x9E37'79B9'7F4A'7C15);
    z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9;
    z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EB;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }
};

inline std::string mutate(const Target& target, const std::vector<std::string>& seeds,
                          Random& random) {
  std::string text = seeds[random.below(seeds.size())];
  const std::size_t changes = 1 + random.below(8);
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t at = random.below(text.size() + 1);
    const std::size_t length = random.below(text.size() - at + 1) % 40;
    switch (random.below(6)) {
      case 0:
        text.insert(at, target.pieces[random.below(target.pieces.size())]);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(random.next());
        break;
      case 4: {
        const std::string& other = seeds[random.below(seeds.size())];
        const std::size_t from = random.below(other.size() + 1);
        text.insert(at, other.substr(from, random.below(60)));
        break;
      }
      default:
        text.replace(at, length, target.pieces[random.below(target.pieces.size())]);
    }
  }
  return text;
}

// NAME [--seed N] [--runs N] SEED...
inline int main(const Target& target, int argc, char** argv) {
  u64 seed = 1;
  u64 runs = 100000;
  std::vector<std::string> seeds;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--seed" && i + 1 < argc) {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (argument == "--runs" && i + 1 < argc) {
      runs = std::strtoull(argv[++i], nullptr, 10);
    } else {
      std::ifstream file(argv[i], std::ios::binary);
      seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  }
  if (seeds.empty()) seeds.emplace_back(target.seed);
  Random random{seed};
  current_name = target.name;
  set_failure_hook(on_failed_check);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(save_current);
  for (const std::string& text : seeds) {
    current = text;
    target.run(current);
  }
  for (u64 i = 0; i < runs; ++i) {
    current = mutate(target, seeds, random);
    target.run(current);
  }
  std::fprintf(stderr, "%llu runs\n", static_cast<unsigned long long>(runs));
  return 0;
}

}  // namespace fuzz_text
