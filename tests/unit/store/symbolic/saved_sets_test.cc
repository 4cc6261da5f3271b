// Sets that go to a file and come back in memory of another size; and files that have none.
#include "store/symbolic/saved_sets.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "platform/device_ram.h"
#include "symbolic/word_sets.h"

namespace saved_sets_test {

namespace {

using namespace xmc_test;

struct File {
  Region disk{4 << 20};
  Region buffer{WordFile::kBlockBytes};
  RamFolder folder{disk.memory};
  Device* device = nullptr;
  WordWriter out;
  WordReader in;

  File() {
    device = folder.open("sets.1", Folder::Open::create).value();
    out.start(device, buffer.memory);
  }
  ~File() { folder.close(device); }
  void reread(u64 words) {
    REQUIRE(out.finish().ok());
    in.start(device, "sets.1", words, buffer.memory);
  }
};

TEST_CASE("sets that were written are read as they were, in any memory that has room") {
  u32 full = 0;
  for (u32 round = 0; round < 200; ++round) {
    CAPTURE(round);
    std::mt19937 rng(round);
    const u32 length = 1 + rng() % 12;
    const u32 values = 2 + rng() % 30;
    Sets from(200'000);
    Words words[3];
    for (u32 i = 0; i < 3; ++i) {
      words[i] = random_words(rng, length, values, rng() % 200);
      from.kept[i] = build(from.d, words[i]);
    }
    REQUIRE_FALSE(from.d.stopped());
    const u64 used = from.d.used_nodes();
    File file;
    Node numbers[3] = {};
    u64 nodes = 0;
    {
      SetWriter writer(from.d);
      for (const Node set : from.kept) writer.add(set);
      REQUIRE(writer.write(file.out).ok());
      for (u32 i = 0; i < 3; ++i) numbers[i] = writer.number_of(from.kept[i]);
      nodes = writer.nodes();
    }
    // Nothing is left of it, and only what is alive was written.
    from.d.collect();
    CHECK(from.d.used_nodes() == nodes + 2);
    CHECK(from.d.used_nodes() <= used);
    file.reread(nodes);
    Sets to(rng() % 3 == 0 ? std::size_t{16} << 10 : 40'000 + rng() % 400'000);
    {
      SetReader reader(to.d, length);
      REQUIRE(reader.read(file.in, 0, nodes).ok());
      for (u32 i = 0; i < 3 && !to.d.stopped(); ++i) reader.make(numbers[i], to.kept[i]);
    }
    if (to.d.stopped()) {
      CHECK(to.d.stop_reason() == SetDiagram::Stop::full);
      ++full;
      continue;
    }
    CHECK(to.d.used_nodes() == nodes + 2);
    for (u32 i = 0; i < 3; ++i) {
      CHECK(to.d.count(to.kept[i]) == WideCount(words[i].size()));
      for (const std::vector<u32>& w : words[i]) REQUIRE(to.d.contains(to.kept[i], w));
      // Equal sets are one node here, too; to build them again may take more room.
      const Node again = build(to.d, words[i]);
      if (to.d.stopped()) break;
      CHECK(again == to.kept[i]);
    }
  }
  CHECK(full > 5);
  CHECK(full < 100);
}

// Words of sets of two levels, and the number of one of them.
bool is_set(const std::vector<Word>& words, u64 number) {
  File file;
  REQUIRE(file.out.add(words).ok());
  file.reread(words.size());
  Sets to(40'000);
  SetReader reader(to.d, 2);
  if (!reader.read(file.in, 0, words.size()).ok()) return false;
  Node set = 0;
  return reader.make(number, set) && !to.d.stopped();
}

TEST_CASE("words that are no set are refused") {
  const auto node = &ListNodes::word_of;
  const Word last = node(5, 1, 0);
  CHECK(is_set({last, node(7, 2, 0)}, 3));
  CHECK(is_set({last, node(7, 2, 4), node(9, 2, 0)}, 3));
  CHECK(is_set({last}, 0));
  CHECK_FALSE(is_set({last, node(7, 2, 0)}, 1));                 // a word that has ended
  CHECK_FALSE(is_set({last, node(7, 2, 0)}, 4));                 // behind all of them
  CHECK_FALSE(is_set({last, node(7, 2, 0)}, 2));                 // one level
  CHECK_FALSE(is_set({last, node(7, 2, 0), node(7, 3, 0)}, 4));  // three
  CHECK_FALSE(is_set({last, node(7, 2, 4), node(7, 2, 0)}, 3));  // a value twice
  CHECK_FALSE(is_set({last, node(7, 2, 4), node(6, 2, 0)}, 3));  // not ascending
  CHECK_FALSE(is_set({last, node(7, 2, 3)}, 3));                 // a list without an end
  CHECK_FALSE(is_set({last, node(7, 3, 0)}, 3));                 // a level that is its own
  CHECK_FALSE(is_set({last, node(7, 0, 0)}, 3));                 // nothing below
  CHECK_FALSE(is_set({node(3, 1, 2), node(7, 1, 0)}, 2));        // of another level
  CHECK_FALSE(is_set({last, node(7, 2, 2)}, 3));                 // goes on below itself
}

}  // namespace

}  // namespace saved_sets_test
