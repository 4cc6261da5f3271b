// The parts that sort: blocks of runs, runs and their merge, sorting in place.
#include <algorithm>

#include "disk.h"
#include "phf/hash_math.h"
#include "phf/hash_sort.h"

namespace xmc::phf {
namespace sorter_test {

namespace {

// Hashes that are evenly spread, crowded, equal, or far apart.
Keys keys_like(u32 kind, u64 count, u64 seed) {
  Keys keys = random_keys(count, 20, seed);
  std::mt19937_64 random(seed);
  for (Record& key : keys) {
    if (kind == 1) key.hash >>= random() % 64;
    if (kind == 2) key.hash %= 7;
    if (kind == 3) key.hash = random() % 100 == 0 ? ~key.hash % 1000 : ~u64{0} - key.hash % 1000;
  }
  return keys;
}

bool less(const Record& a, const Record& b) {
  return a.hash != b.hash ? a.hash < b.hash : a.value < b.value;
}

bool same(Keys a, Keys b) {
  std::sort(a.begin(), a.end(), less);
  std::sort(b.begin(), b.end(), less);
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Record& x, const Record& y) {
    return x.hash == y.hash && x.value == y.value;
  });
}

}  // namespace

TEST_CASE("phf: records come out of the sorter in order, with their values") {
  for (const u32 kind : {0u, 1u, 2u, 3u}) {
    for (const u64 count : {0, 1, 2, 1000, 4000, 50'000, 75'000}) {
      CAPTURE(kind);
      CAPTURE(count);
      Disk disk(8 << 20, 128 << 10);
      const Keys keys = keys_like(kind, count, count + kind);
      RecordSorter sorter;
      sorter.start(disk.memory.span(), disk.runs, 20);
      bool added = true;
      for (const Record& key : keys) added = sorter.add(key.hash, key.value).ok() && added;
      REQUIRE(added);
      REQUIRE(sorter.finish().ok());
      Keys sorted;
      Record record;
      while (sorter.next(record)) sorted.push_back(record);
      REQUIRE(sorter.status().ok());
      CHECK(std::is_sorted(sorted.begin(), sorted.end(),
                           [](const Record& a, const Record& b) { return a.hash < b.hash; }));
      CHECK(same(keys, sorted));
      CHECK(sorter.bytes_written() == disk.runs->size_bytes());
      if (count >= 50'000) CHECK(sorter.runs() > 4);
    }
  }
}

TEST_CASE("phf: queries are sorted in place") {
  for (const u32 kind : {0u, 1u, 2u, 3u}) {
    for (const u64 count : {0, 1, 63, 64, 255, 256, 1000, 100'000}) {
      std::vector<Query> queries = queries_of(keys_like(kind, count, count));
      std::vector<Query> wanted = queries;
      sort_by_hash(std::span<Query>(queries));
      const auto order = [](const Query& a, const Query& b) {
        return a.key != b.key ? a.key < b.key : a.tag < b.tag;
      };
      CHECK(std::is_sorted(queries.begin(), queries.end(),
                           [](const Query& a, const Query& b) { return a.key < b.key; }));
      std::sort(queries.begin(), queries.end(), order);
      std::sort(wanted.begin(), wanted.end(), order);
      CHECK(std::equal(
          queries.begin(), queries.end(), wanted.begin(), wanted.end(),
          [](const Query& a, const Query& b) { return a.key == b.key && a.tag == b.tag; }));
    }
  }
}

TEST_CASE("phf: arithmetic of hashes") {
  const Product product = multiply_wide(0xFEDCBA9876543210, 0x0123456789ABCDEF);
  CHECK(product.high == 0x0121FA00AD77D742);
  CHECK(product.low == 0x2236D88FE5618CF0);
  CHECK(multiply_wide(~u64{0}, ~u64{0}).high == ~u64{1});
  CHECK(multiply_wide(~u64{0}, ~u64{0}).low == 1);
  for (const u64 root : {0ull, 1ull, 2ull, 55ull, 65535ull, 4294967295ull}) {
    CHECK(square_root(root * root) == root);
    CHECK(square_root(root * root + root) == root);
  }
  // Pages and shares grow with the hash.
  u64 last_page = 0, last_share = 0;
  for (u64 hash = 0; hash < ~u64{0} - (u64{1} << 57); hash += u64{1} << 57) {
    const PagePlace place = page_place(hash, 3);
    CHECK((place.page > last_page || (place.page == last_page && place.share >= last_share)));
    last_page = place.page;
    last_share = place.share;
  }
  CHECK(page_place(~u64{0}, 3).page == 2);
}

}  // namespace sorter_test
}  // namespace xmc::phf
