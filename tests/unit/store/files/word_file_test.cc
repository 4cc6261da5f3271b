// Files that checkpoints of searches name: words in blocks, files without blocks.
#include "store/files/word_file.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "run_disk.h"
#include "store/checkpoint/manifest.h"
#include "store/checkpoint/verify.h"

using namespace xmc;

namespace word_file_test {

namespace {

struct Files {
  Files() : disk(32 << 20), folder(disk.span()), buffer(WordFile::kBlockBytes) {}

  Device* open(const char* name, Folder::Open how = Folder::Open::create) {
    const Result<Device*> opened = folder.open(name, how);
    REQUIRE(opened.ok());
    return opened.value();
  }
  // Another byte in the middle of a file.
  void damage(Device* device) {
    std::vector<u8> bytes(static_cast<std::size_t>(device->size_bytes()));
    AlignedMemory copy(bytes.size());
    const ReadRequest request{0, copy.span()};
    REQUIRE(device->read({&request, 1}, Purpose::other).ok());
    copy.span()[bytes.size() / 2] ^= 1;
    REQUIRE(device->truncate(0).ok());
    REQUIRE(device->append(copy.span(), Purpose::other).ok());
  }
  AlignedMemory disk;
  RamFolder folder;
  AlignedMemory buffer;
};

std::vector<Word> some_words(std::size_t count) {
  std::mt19937_64 random(count);
  std::vector<Word> words(count);
  for (Word& word : words) word = random();
  return words;
}

}  // namespace

TEST_CASE("words come back from a file, from any place on") {
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1}, std::size_t{509}, std::size_t{WordFile::kBlockWords},
        std::size_t{WordFile::kBlockWords + 1}, std::size_t{30000}}) {
    CAPTURE(count);
    Files files;
    Device* const device = files.open("bits.1");
    const std::vector<Word> words = some_words(count);
    WordWriter out;
    out.start(device, files.buffer.span());
    REQUIRE(out.add(std::span(words).first(count / 3)).ok());
    REQUIRE(out.add(std::span(words).subspan(count / 3)).ok());
    REQUIRE(out.finish().ok());
    REQUIRE(out.bytes() == device->size_bytes());
    for (const std::size_t from : {std::size_t{0}, count / 2, count}) {
      WordReader in;
      in.start(device, "bits.1", count, files.buffer.span());
      std::vector<Word> read(count - from);
      REQUIRE(in.read(from, read).ok());
      REQUIRE(std::equal(read.begin(), read.end(), words.begin() + static_cast<long>(from)));
    }
    if (count < 509) continue;
    files.damage(device);
    WordReader in;
    in.start(device, "bits.1", count, files.buffer.span());
    std::vector<Word> read(count);
    REQUIRE(in.read(0, read).code() == Code::corrupt);
  }
}

TEST_CASE("a file without blocks is verified by its checksum") {
  Files files;
  Device* const device = files.open("hash.0");
  AlignedMemory bytes(5 * 4096);
  for (std::size_t i = 0; i < bytes.span().size(); ++i) bytes.span()[i] = static_cast<u8>(i * 7);
  REQUIRE(device->append(bytes.span(), Purpose::index).ok());
  AlignedMemory small(4096);
  const Result<u64> sum = plain_checksum(*device, 5 * 4096, files.buffer.span());
  REQUIRE(sum.ok());
  REQUIRE(plain_checksum(*device, 5 * 4096, small.span()).value() == sum.value());
  REQUIRE(plain_checksum(*device, 4 * 4096, small.span()).value() != sum.value());
  Device* const words = files.open("bits.1");
  WordWriter out;
  out.start(words, files.buffer.span());
  REQUIRE(out.add(some_words(10)).ok());
  REQUIRE(out.finish().ok());

  Manifest manifest;
  manifest.add_plain("hash.0", 5 * 4096, sum.value());
  manifest.add_file("bits.1", out.bytes(), out.chain());
  Manifest::File file;
  REQUIRE(manifest.file(0, file));
  REQUIRE(file.name == "bits.1");
  REQUIRE_FALSE(file.plain);
  REQUIRE(manifest.file(1, file));
  REQUIRE(file.name == "hash.0");
  REQUIRE(file.plain);
  REQUIRE(file.bytes == 5 * 4096);
  REQUIRE(file.chain == sum.value());
  REQUIRE_FALSE(manifest.file(2, file));

  files.folder.close(words);
  files.folder.close(device);
  REQUIRE(verify_files(files.folder, manifest, small.span()).ok());
  Device* const again = files.open("hash.0", Folder::Open::existing);
  files.damage(again);
  files.folder.close(again);
  REQUIRE(verify_files(files.folder, manifest, small.span()).code() == Code::corrupt);
}

}  // namespace word_file_test
