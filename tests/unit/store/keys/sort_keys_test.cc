#include "store/keys/sort_keys.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "xmc/limits.h"

using namespace xmc;

namespace sort_keys_test {

TEST_CASE("keys of any width are sorted, and none is lost") {
  std::mt19937_64 random(9);
  for (const u32 words : {1u, 2u, 3u, 8u, 9u, limits::kStateWords, limits::kKeyWords}) {
    CAPTURE(words);
    std::vector<std::vector<Word>> wanted(500, std::vector<Word>(words));
    for (std::vector<Word>& key : wanted) {
      for (Word& word : key) word = random() % 4;  // the first words of many are equal
    }
    std::vector<Word> keys;
    for (const std::vector<Word>& key : wanted) keys.insert(keys.end(), key.begin(), key.end());
    std::vector<Word> other(keys.size());
    const u32 count = static_cast<u32>(wanted.size());
    const Word* const sorted = sort_keys(keys.data(), other.data(), count, words);
    std::sort(wanted.begin(), wanted.end());
    for (const std::vector<Word>& key : wanted) {
      const std::size_t at = static_cast<std::size_t>(&key - wanted.data()) * words;
      REQUIRE(std::equal(key.begin(), key.end(), sorted + at));
    }
  }
}

}  // namespace sort_keys_test
