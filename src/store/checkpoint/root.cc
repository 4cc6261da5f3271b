#include "store/checkpoint/root.h"

#include <cerrno>
#include <charconv>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/hash.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr std::string_view kHeader = "xmc-lite checkpoint 3\n";
constexpr std::string_view kHeaderOfAny = "xmc-lite checkpoint ";
constexpr std::string_view kSequence = "sequence ";
constexpr std::string_view kChecksum = "checksum ";
constexpr u32 kChecksumLine = 9 + 16 + 1;
constexpr u32 kFrameBytes = 128;  // of all lines but the manifest's
constexpr u32 kRootBytes = Manifest::kMostBytes + kFrameBytes;
constexpr u32 kFileNameBytes = 64;

std::span<const u8> bytes_of(std::string_view text) {
  return {reinterpret_cast<const u8*>(text.data()), text.size()};
}

void add_checksum_line(Text& out, std::string_view text) {
  out.add(kChecksum);
  out.format("%016llx\n", wide(hash_bytes(bytes_of(text), 0)));
}

bool has_right_checksum(std::string_view text) {
  if (text.size() < kChecksumLine) return false;
  FixedText<kChecksumLine + 1> line;
  add_checksum_line(line, piece_of(text, 0, text.size() - kChecksumLine));
  return text.ends_with(line.view());
}

// Names that lead out of the folder, or to a root, are not ours.
bool is_file_name(std::string_view name) {
  if (name.empty() || name.size() >= kFileNameBytes || name[0] == '.') return false;
  for (const char* root : kRootFiles) {
    if (name == root) return false;
  }
  return name.find('/') == std::string_view::npos;
}

Status check_files(Folder& folder, const Manifest& manifest) {
  Manifest::File file;
  for (u32 i = 0; manifest.file(i, file); ++i) {
    if (!is_file_name(file.name)) return Status::fail(Code::corrupt, "it names an impossible file");
    FixedText<kFileNameBytes> name;
    name.add(file.name);
    const Result<Device*> device = folder.open(name.c_str(), Folder::Open::existing);
    if (!device.ok()) {
      return Status::fail(Code::corrupt, "its file '%s' cannot be opened: %.200s", name.c_str(),
                          device.status().c_str());
    }
    const u64 bytes = device.value()->size_bytes();
    folder.close(device.value());
    if (bytes >= file.bytes) continue;
    return Status::fail(Code::corrupt, "its file '%s' has %llu bytes and should have %llu",
                        name.c_str(), wide(bytes), wide(file.bytes));
  }
  return {};
}

// Takes header and sequence off `text`.
Status take_head(std::string_view& text, u32 slot, u64& sequence) {
  if (text.starts_with(kHeaderOfAny) && !text.starts_with(kHeader)) {
    return Status::fail(Code::corrupt, "another version of xmc-lite has written it");
  }
  if (!text.starts_with(kHeader)) return Status::fail(Code::corrupt, "it does not begin as a root");
  text.remove_prefix(kHeader.size());
  const std::size_t end = text.find('\n');
  u64 number = 0;
  if (!text.starts_with(kSequence) || end == std::string_view::npos) {
    return Status::fail(Code::corrupt, "it has no sequence number");
  }
  const char* const last = text.data() + end;
  const auto got = std::from_chars(text.data() + kSequence.size(), last, number);
  if (got.ec != std::errc() || got.ptr != last || number == 0 || number % kRootSlots != slot) {
    return Status::fail(Code::corrupt, "it has an impossible sequence number");
  }
  text.remove_prefix(end + 1);
  sequence = number;
  return {};
}

Status parse_root(Folder& folder, u32 slot, std::string_view text, Manifest& manifest,
                  u64& sequence) {
  std::string_view rest = text;
  XMC_TRY(take_head(rest, slot, sequence));
  if (!has_right_checksum(text)) return Status::fail(Code::corrupt, "its checksum is wrong");
  if (rest.size() < kChecksumLine) return Status::fail(Code::corrupt, "it is too short");
  rest.remove_suffix(kChecksumLine);
  if (!manifest.assign(rest)) return Status::fail(Code::corrupt, "it is not made of lines");
  return check_files(folder, manifest);
}

}  // namespace

Status commit_root(Folder& folder, const Manifest& manifest, u64 sequence) {
  XMC_CHECK(sequence > 0);
  FixedText<kRootBytes> text;
  text.add(kHeader).add(kSequence).number(sequence).add('\n').add(manifest.text());
  const u32 size = text.size();
  add_checksum_line(text, piece_of(text.view(), 0, size));
  XMC_CHECK(!text.cut());
  return folder.replace(kRootFiles[sequence % kRootSlots], bytes_of(text.view()));
}

RootSlot read_root(Folder& folder, u32 slot, Manifest& manifest) {
  XMC_CHECK(slot < kRootSlots);
  RootSlot out;
  u8 buffer[kRootBytes];
  const Result<u64> got = folder.load(kRootFiles[slot], buffer);
  if (!got.ok()) {
    if (got.status().os_error() == ENOENT) return out;
    out.why = got.status();
  } else {
    const std::string_view text(reinterpret_cast<const char*>(buffer),
                                static_cast<std::size_t>(got.value()));
    out.bytes = got.value();
    out.why = parse_root(folder, slot, text, manifest, out.sequence);
  }
  out.state = out.why.ok() ? RootSlot::State::sound : RootSlot::State::unsound;
  return out;
}

Result<Root> load_root(Folder& folder, Manifest& manifest, u32 except) {
  RootSlot slots[kRootSlots];
  Root root;
  for (u32 i = 0; i < kRootSlots; ++i) {
    if (i != except) slots[i] = read_root(folder, i, manifest);
    if (slots[i].state != RootSlot::State::sound || slots[i].sequence < root.sequence) continue;
    root.slot = i;
    root.sequence = slots[i].sequence;
    root.bytes = slots[i].bytes;
  }
  if (root.slot == kNone) {
    for (u32 i = 0; i < kRootSlots; ++i) {
      if (slots[i].state == RootSlot::State::absent) continue;
      return Status::fail(Code::corrupt, "no checkpoint is sound: of %s, %.200s", kRootFiles[i],
                          slots[i].why.c_str());
    }
    return Status::fail(Code::usage, "there is no checkpoint");
  }
  const u32 other = 1 - root.slot;
  const bool unsound = slots[other].state == RootSlot::State::unsound;
  // One whose number cannot be read was probably being written last.
  if (unsound && (slots[other].sequence == 0 || slots[other].sequence > root.sequence)) {
    root.fell_back = true;
    root.passed_over = slots[other];
  }
  // Slot 1 was read last.
  if (root.slot == kRootSlots - 1) return root;
  if (slots[other].state == RootSlot::State::absent) return root;
  slots[root.slot] = read_root(folder, root.slot, manifest);
  const Status& again = slots[root.slot].why;
  if (again.ok()) return root;
  return Status::fail(again.code(), "%s was sound, but not when it was read again: %.200s",
                      kRootFiles[root.slot], again.c_str());
}

Status discard_root(Folder& folder, u32 slot) {
  XMC_CHECK(slot < kRootSlots);
  XMC_TRY(folder.remove(kRootFiles[slot]));
  return folder.sync();
}

}  // namespace xmc
