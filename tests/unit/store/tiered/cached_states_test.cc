// A set of states with most of them on flash, against a set in memory.
#include "store/tiered/cached_states.h"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <vector>

#include "run_disk.h"
#include "store/checkpoint/manifest.h"
#include "store/files/word_file.h"
#include "trial.h"

using namespace xmc;

namespace cached_states_test {

namespace {

constexpr CachedStates::Form kForms[] = {CachedStates::Form::linear, CachedStates::Form::tiers,
                                         CachedStates::Form::diagram};

struct SetTrial {
  SetTrial(CachedStates::Form form, u32 key_words, u32 key_bytes, u64 state_bytes)
      : words(key_words),
        disk(std::size_t{64} << 20),
        folder(disk.span()),
        order(1 << 20),
        questions(CachedStates::question_bytes(key_words)),
        pages(PageRuns::kLeastPages * kPageBytes),
        transfer(2 * PageRuns::kLeastTransfer),
        states(state_bytes) {
    shape = {key_words, key_bytes, form, 25};
    Model model;
    model.state_words = key_words;
    model.state_bytes = key_bytes;
    Arena arena(order.span());
    set.plan(model, arena);
    start();
  }
  void start() {
    set.init(folder, "old", shape, {questions.span(), pages.span(), transfer.span(), states.span()},
             {});
  }
  void check(const std::vector<Word>& keys, u64 since, const std::set<std::vector<Word>>& model) {
    const u32 count = static_cast<u32>(keys.size() / words);
    bool known[CachedStates::kBatch];
    REQUIRE(set.ask(keys.data(), count, since, known).ok());
    for (u32 i = 0; i < count; ++i) {
      const std::vector<Word> key(keys.begin() + i * words, keys.begin() + (i + 1) * words);
      REQUIRE(known[i] == (model.count(key) != 0));
    }
  }

  u32 words;
  AlignedMemory disk;
  RamFolder folder;
  AlignedMemory order, questions, pages, transfer, states;
  CachedStates::Shape shape;
  CachedStates set;
};

}  // namespace

TEST_CASE("every state is found, wherever it is") {
  u64 merges = 0;
  u32 left_diagram = 0;
  for (const CachedStates::Form form : kForms) {
    for (u32 seed = 1; seed <= xmc_test::rounds(12); ++seed) {
      CAPTURE(static_cast<int>(form));
      CAPTURE(seed);
      std::mt19937_64 random(seed);
      const u32 words = 1 + seed % 3;
      const u32 bytes = 8 * words - static_cast<u32>(random() % 7);
      SetTrial t(form, words, bytes, (seed % 4 == 0 ? 256 : 48) << 10);
      const u64 values = seed % 2 == 0 ? 20'000 : ~u64{0};
      const u32 states = form == CachedStates::Form::linear ? 4'000 : 12'000;
      std::set<std::vector<Word>> model;
      std::vector<std::vector<Word>> waiting;  // not there at the age of the round
      u64 age = 0;
      const auto any_key = [&] {
        std::vector<Word> key(words);
        for (Word& word : key) word = random() % values;
        key[words - 1] &= ~Word{0} >> (8 * (8 * words - bytes));
        return key;
      };
      const bool diagram = t.set.diagram().on();
      while (model.size() < states) {
        std::vector<Word> asked;
        for (u32 i = 0; i < 1 + random() % CachedStates::kBatch; ++i) {
          std::vector<Word> key = any_key();
          if (!model.empty() && random() % 2 == 0) {
            const auto at = model.lower_bound(key);
            key = at == model.end() ? *model.begin() : *at;
          }
          asked.insert(asked.end(), key.begin(), key.end());
          if (model.count(key) != 0) continue;
          waiting.push_back(key);
          REQUIRE(t.set.insert(key.data()).ok());
          model.insert(key);
        }
        t.check(asked, 0, model);
        if (random() % 8 == 0) t.check(any_key(), 0, model);
        // What came since is found by who knows that it was not there.
        if (waiting.size() > 2000) {
          for (const std::vector<Word>& key : waiting) t.check(key, age, model);
          waiting.clear();
          age = t.set.age();
        }
      }
      const CachedStates::Counts before = t.set.counts();
      if (form == CachedStates::Form::tiers && seed % 4 == 0) {
        REQUIRE(before.fresh_read * 4 <= before.fresh);
      }
      left_diagram += diagram && !t.set.diagram().on() ? 1 : 0;
      merges += t.set.runs().merges();
      REQUIRE((form == CachedStates::Form::linear) <= (t.set.runs().runs() <= 1));
      Manifest manifest;
      AlignedMemory buffer(WordFile::kBlockBytes);
      Lines out = Lines::into(manifest);
      REQUIRE(t.set.save(out, FileName("diagram", 1), buffer.span()).ok());
      t.set.close();
      t.start();
      Lines in = Lines::of(manifest);
      const Status restored = t.set.restore(in, FileName("diagram", 1), buffer.span());
      INFO(doctest::String(restored.c_str()));
      REQUIRE(restored.ok());
      for (const std::vector<Word>& key : model) t.check(key, 0, model);
      for (u32 i = 0; i < 2000; ++i) t.check(any_key(), 0, model);
      // What is new mostly takes no read where filters have room.
      const CachedStates::Counts& counts = t.set.counts();
      if (form != CachedStates::Form::linear && seed % 4 == 0) {
        REQUIRE(counts.fresh > 100);
        REQUIRE(counts.fresh_read * 4 < counts.fresh);
      }
    }
  }
  CHECK(merges > 10);
  CHECK(left_diagram > 0);
}

// The printed merge ends when the table on flash is used up, and loses what is smaller than all of
// it; and it has no table to begin with.
TEST_CASE("keys of the smallest hash, of the largest, and of one page") {
  for (const CachedStates::Form form : kForms) {
    SetTrial t(form, 1, 8, 48 << 10);
    struct ByHash {
      u64 hash;
      Word key;
    };
    std::vector<ByHash> keys;
    for (Word key = 0; key < 60'000; ++key) {
      u8 bytes[8];
      for (u32 i = 0; i < 8; ++i) bytes[i] = static_cast<u8>(key >> (8 * i));
      keys.push_back({PageHash::of(bytes, 8).order, key});
    }
    std::sort(keys.begin(), keys.end(),
              [](const ByHash& a, const ByHash& b) { return a.hash < b.hash; });
    // Descending, so that each run begins below all others; then from both ends.
    std::set<std::vector<Word>> model;
    for (u32 i = 6'000; i-- > 3'000;) {
      REQUIRE(t.set.insert(&keys[i].key).ok());
      model.insert({keys[i].key});
    }
    for (u32 i = 0; i < 1'000; ++i) {
      for (const ByHash& next : {keys[2'999 - i], keys[59'999 - i]}) {
        REQUIRE(t.set.insert(&next.key).ok());
        model.insert({next.key});
      }
    }
    for (const ByHash& next : keys) t.check({next.key}, 0, model);
  }
}

}  // namespace cached_states_test
