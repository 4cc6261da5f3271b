#include "store/keys/key_codec.h"

#include <doctest/doctest.h>

#include "key_sets.h"
#include "store/keys/key_compare.h"
#include "xmc/limits.h"

using namespace xmc;

namespace key_codec_test {

namespace {

std::vector<u8> encode_all(KeyCodec codec, const std::vector<Word>& keys, u32 words) {
  std::vector<u8> bytes;
  std::vector<u8> record(most_coded_bytes(words) + 1, 0xA5);
  for (std::size_t i = words; i < keys.size(); i += words) {
    const u32 size = encode_key(codec, &keys[i - words], &keys[i], words, record.data());
    REQUIRE(size <= most_coded_bytes(words));
    REQUIRE(record.back() == 0xA5);
    bytes.insert(bytes.end(), record.begin(), record.begin() + size);
  }
  return bytes;
}

}  // namespace

TEST_CASE("what is encoded is decoded, for all shapes and widths") {
  for (const Shape shape : kShapes) {
    for (const u32 words : {1u, 2u, 3u, 8u, 9u, 31u, 32u, limits::kKeyWords}) {
      for (const KeyCodec codec : {KeyCodec::delta, KeyCodec::mask}) {
        CAPTURE(static_cast<int>(shape));
        CAPTURE(words);
        const std::vector<Word> keys = flat(make_keys(shape, words, 300, 7));
        const u32 count = static_cast<u32>(keys.size() / words);
        REQUIRE(count > 1);
        std::vector<u8> bytes = encode_all(codec, keys, words);
        const std::size_t size = bytes.size();
        bytes.resize(size + kDecodeSlack, 0xFF);
        std::vector<Word> out(keys.size());
        const u8* const end = bytes.data() + size;
        const u8* at =
            decode_keys(codec, bytes.data(), end, keys.data(), out.data(), count - 1, words);
        REQUIRE(at == end);
        out.resize(keys.size() - words);
        CHECK(std::equal(out.begin(), out.end(), keys.begin() + words));
        // One key more is not there.
        out.resize(keys.size());
        CHECK(decode_keys(codec, bytes.data(), end, keys.data(), out.data(), count, words) ==
              nullptr);
      }
    }
  }
}

TEST_CASE("small differences take few bytes") {
  u8 to[most_coded_bytes(2)];
  const Word wide[] = {5, ~Word{0}, 6, 1};  // 2 apart
  CHECK(encode_key(KeyCodec::delta, wide, wide + 2, 2, to) == 1);
  for (u32 bits = 1; bits <= 64; ++bits) {
    const Word from = 0;
    const Word to_key = ~Word{0} >> (64 - bits);
    const u32 bytes = encode_key(KeyCodec::delta, &from, &to_key, 1, to);
    CHECK(bytes == (bits <= 56 ? (bits + 6) / 7 : 2 + 8));
    CHECK(encode_key(KeyCodec::mask, &from, &to_key, 1, to) == 1 + (bits + 7) / 8);
  }
}

TEST_CASE("damaged records are never read or written beyond their bounds") {
  std::mt19937_64 random(11);
  for (u32 round = 0; round < 20000; ++round) {
    const u32 words = 1 + static_cast<u32>(random() % (round % 10 == 0 ? 80 : 4));
    const KeyCodec codec = random() % 2 == 0 ? KeyCodec::delta : KeyCodec::mask;
    // On the heap and exactly as large as promised, for the sanitizers.
    const std::size_t size = random() % 60;
    std::vector<u8> bytes(size + kDecodeSlack);
    for (u8& b : bytes) b = static_cast<u8>(random() % 3 == 0 ? 0 : random());
    const u32 count = 1 + static_cast<u32>(random() % 8);
    std::vector<Word> previous(words), keys(count * words);
    const u8* const end = bytes.data() + size;
    const u8* at =
        decode_keys(codec, bytes.data(), end, previous.data(), keys.data(), count, words);
    REQUIRE((at == nullptr || (at > bytes.data() && at <= end)));
  }
}

TEST_CASE("the smaller codec is chosen") {
  // Close together: the difference is small, though several bytes may change.
  const std::vector<Word> dense = flat(make_keys(Shape::dense, 2, 100000, 3));
  CHECK(choose_codec(dense.data(), static_cast<u32>(dense.size() / 2), 2) == KeyCodec::delta);
  // Only the first word changes: one byte of many.
  std::vector<Word> high;
  for (Word i = 0; i < 50; ++i) high.insert(high.end(), {i, 77 + i % 2, 1234567});
  CHECK(choose_codec(high.data(), 50, 3) == KeyCodec::mask);
  for (const Shape shape : kShapes) {
    for (const u32 words : {1u, 2u, 9u}) {
      const std::vector<Word> keys = flat(make_keys(shape, words, 2000, 5));
      const u64 delta = encode_all(KeyCodec::delta, keys, words).size();
      const u64 mask = encode_all(KeyCodec::mask, keys, words).size();
      const u32 count = static_cast<u32>(keys.size() / words);
      const KeyCodec best = mask < delta ? KeyCodec::mask : KeyCodec::delta;
      CHECK(choose_codec(keys.data(), count, words) == best);
    }
  }
  CHECK(choose_codec(nullptr, 0, 1) == KeyCodec::delta);
}

TEST_CASE("keys compare word by word") {
  const Word a[] = {1, 5}, b[] = {1, 6}, c[] = {2, 0};
  CHECK(key_less(a, b, 2));
  CHECK(key_less<2>(b, c, 2));
  CHECK(!key_less(c, b, 2));
  CHECK(!key_less(a, a, 2));
  CHECK(key_equal(a, a, 2));
  CHECK(!key_equal<2>(a, b, 2));
}

}  // namespace key_codec_test
