#include "damage.h"

#include <algorithm>

#include "store/checkpoint/root.h"

namespace xmc_test {

namespace {

// Files and sizes of the last two checkpoints.
struct Named {
  u32 slot = kNone;
  bool two = false;
  std::map<std::string, u64> last, before;
};

std::map<std::string, u64> files_in(const Manifest& manifest) {
  std::map<std::string, u64> files;
  Manifest::File file;
  for (u32 i = 0; manifest.file(i, file); ++i) files[std::string(file.name)] = file.bytes;
  return files;
}

Named named_files(Card& card) {
  Named named;
  Manifest manifest;
  const Result<Root> last = load_root(card.folder(), manifest);
  if (!last.ok()) return named;
  named.slot = last.value().slot;
  named.last = files_in(manifest);
  const Result<Root> before = load_root(card.folder(), manifest, named.slot);
  named.two = before.ok();
  if (named.two) named.before = files_in(manifest);
  return named;
}

// Whether the checkpoint before the last one does not have this byte.
bool only_in_last(const Named& named, const std::string& file, u64 offset) {
  if (!named.two) return false;
  const auto at = named.before.find(file);
  return at == named.before.end() || offset >= at->second;
}

struct Block {
  std::size_t at = 0;
  std::size_t bytes = 0;
};

// As their frames say (store/files/block.h); pages, where there is none.
std::vector<Block> blocks_of(const std::vector<u8>& data) {
  static constexpr u8 magic[] = {'X', 'M', 'C', 'B'};
  std::vector<Block> blocks;
  for (std::size_t at = 0; at < data.size();) {
    std::size_t bytes = kPageBytes;
    if (std::equal(std::begin(magic), std::end(magic), data.begin() + static_cast<long>(at) + 8)) {
      bytes = std::size_t{kPageBytes} * (data[at + 20] + 256u * data[at + 21]);
    }
    if (bytes == 0 || bytes > data.size() - at) bytes = kPageBytes;
    blocks.push_back({at, bytes});
    at += bytes;
  }
  return blocks;
}

// The name of the n-th of the files that are not empty.
std::string nth(const std::map<std::string, u64>& files, u32 n) {
  std::vector<std::string> names;
  for (const auto& [name, bytes] : files) {
    if (bytes > 0) names.push_back(name);
  }
  return names.empty() ? "" : names[n % names.size()];
}

}  // namespace

Snapshot files_of_checkpoint(Card& card, bool whole) {
  Snapshot snapshot;
  for (const auto& [name, bytes] : named_files(card).last) {
    snapshot[name] = card.contents(name.c_str());
    if (!whole) snapshot[name].resize(static_cast<std::size_t>(bytes));
  }
  return snapshot;
}

Damage flip_bit(Card& card, u32 which, Random& random) {
  const Named named = named_files(card);
  Damage damage;
  damage.file = nth(named.last, which);
  if (damage.file.empty()) return damage;
  std::vector<u8> data = card.contents(damage.file.c_str());
  const std::size_t at = random() % static_cast<std::size_t>(named.last.at(damage.file));
  data[at] ^= static_cast<u8>(1u << random() % 8);
  card.put(damage.file.c_str(), data);
  damage.covered = only_in_last(named, damage.file, at);
  return damage;
}

Damage damage_roots(Card& card, u32 which, Random& random) {
  const Named named = named_files(card);
  if (named.slot == kNone) return {};
  const bool both = which % 4 == 3;
  Damage damage;
  damage.covered = named.two && !both;
  for (u32 slot = 0; slot < kRootSlots; ++slot) {
    if (slot != named.slot && !both) continue;
    const char* const name = kRootFiles[slot];
    std::vector<u8> data = card.small_file(name);
    if (data.empty()) continue;
    damage.file = name;
    const std::size_t at = random() % data.size();
    switch (both ? random() % 4 : which % 4) {
      case 0:
        data[at] ^= static_cast<u8>(1u << random() % 8);
        break;
      case 1:
        data.resize(at);
        break;
      case 2:
        std::fill(data.begin() + static_cast<long>(at), data.end(), u8{0});
        break;
      default:
        data = card.small_file(kRootFiles[1 - slot]);
    }
    card.put_small(name, data);
  }
  return damage;
}

namespace {

Damage try_to_misplace(Card& card, u32 which, const Snapshot& before, Random& random) {
  const Named named = named_files(card);
  Damage damage;
  const std::string name = nth(named.last, which / 4);
  if (name.empty()) return damage;
  std::vector<u8> data = card.contents(name.c_str());
  const auto size = static_cast<std::size_t>(named.last.at(name));
  const std::vector<Block> blocks =
      blocks_of({data.begin(), data.begin() + static_cast<long>(size)});
  const Block to = blocks[random() % blocks.size()];
  std::vector<u8> put(data.begin() + static_cast<long>(to.at),
                      data.begin() + static_cast<long>(to.at + to.bytes));
  const std::vector<u8> old = put;
  const auto take = [&](const std::vector<u8>& from, std::size_t at) {
    if (at + to.bytes > from.size()) return;
    std::copy_n(from.begin() + static_cast<long>(at), to.bytes, put.begin());
  };
  const Block other = blocks[random() % blocks.size()];
  switch (which % 4) {
    case 0:
      take(data, other.at);
      break;
    case 1:
      take(card.contents(nth(named.last, random()).c_str()), 0);
      break;
    case 2:
      if (before.count(name) > 0) take(before.at(name), to.at);
      break;
    default:
      std::fill(put.begin(), put.end(), u8{0});
  }
  if (put == old) return damage;
  std::copy(put.begin(), put.end(), data.begin() + static_cast<long>(to.at));
  card.put(name.c_str(), data);
  damage.file = name;
  damage.covered = only_in_last(named, name, to.at);
  return damage;
}

}  // namespace

Damage misplace_block(Card& card, u32 which, const Snapshot& before, Random& random) {
  // The block may be the one that is there: others, and other files, are tried.
  for (u32 turn = 0; turn < 12; ++turn) {
    const Damage damage = try_to_misplace(card, which + 4 * turn, before, random);
    if (!damage.file.empty()) return damage;
  }
  return {};
}

}  // namespace xmc_test
