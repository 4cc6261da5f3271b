#include "store/checkpoint/manifest.h"

#include <charconv>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr const char* kFile = "file";
constexpr const char* kPlain = "plain";

template <class Number>
bool parse(std::string_view text, Number& out, int base) {
  const char* const end = text.data() + text.size();
  const std::from_chars_result got = std::from_chars(text.data(), end, out, base);
  return got.ec == std::errc() && got.ptr == end && !text.empty();
}

// The first word of `text`, which is then the rest.
std::string_view take_word(std::string_view& text) {
  const std::size_t blank = text.find(' ');
  const std::string_view word = piece_of(text, 0, blank);
  text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
  return word;
}

bool is_name(std::string_view name) {
  for (const char c : name) {
    if (static_cast<unsigned char>(c) <= ' ') return false;
  }
  return !name.empty();
}

}  // namespace

Status damaged_line(const char* name) {
  return Status::fail(Code::corrupt, "the line '%.60s' of the checkpoint is missing or damaged",
                      name);
}

bool Manifest::assign(std::string_view text) {
  size_ = 0;
  if (text.size() > kMostBytes) return false;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return false;
    const std::size_t blank = rest.find(' ');
    if (blank == std::string_view::npos || blank > end) return false;
    if (!is_name(piece_of(rest, 0, blank))) return false;
    rest.remove_prefix(end + 1);
  }
  copy(std::span<char>(text_), std::span<const char>(text));
  size_ = static_cast<u32>(text.size());
  return true;
}

void Manifest::add_text(const char* name, std::string_view value) {
  XMC_CHECK(is_name(name));
  Text line(text_ + size_, kMostBytes - size_);
  line.add(name).add(' ');
  // Names of files may have line breaks in them; here they are for people.
  for (const char c : value) line.add(c == '\n' ? ' ' : c);
  line.add('\n');
  XMC_CHECK(!line.cut());
  size_ += line.size();
}

void Manifest::add_line(std::string_view start, std::string_view line) {
  Text text(text_ + size_, kMostBytes - size_);
  text.add(start).add(line).add('\n');
  XMC_CHECK(!text.cut());
  size_ += text.size();
}

void Manifest::add(const char* name, u64 value) {
  FixedText<24> digits;
  add_text(name, digits.number(value).view());
}

void Manifest::add_words(const char* name, std::span<const Word> words) {
  XMC_CHECK(is_name(name));
  Text line(text_ + size_, kMostBytes - size_);
  line.add(name);
  for (const Word word : words) line.format(" %llx", wide(word));
  line.add(words.empty() ? " \n" : "\n");
  XMC_CHECK(!line.cut());
  size_ += line.size();
}

void Manifest::add_file(const char* name, u64 bytes, u64 chain) {
  add_file_line(kFile, name, bytes, chain);
}

void Manifest::add_plain(const char* name, u64 bytes, u64 checksum) {
  add_file_line(kPlain, name, bytes, checksum);
}

void Manifest::add_file_line(const char* line, const char* name, u64 bytes, u64 chain) {
  XMC_CHECK(is_name(name));
  FixedText<160> value;
  value.add(name).add(' ').number(bytes);
  value.format(" %016llx", wide(chain));
  XMC_CHECK(!value.cut());
  add_text(line, value.view());
}

std::string_view Manifest::find(std::string_view name, u32 occurrence) const {
  std::string_view rest = text();
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    std::string_view line = piece_of(rest, 0, end);
    if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == ' ') {
      line.remove_prefix(name.size() + 1);
      if (occurrence == 0) return line;
      --occurrence;
    }
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return {};
}

bool Manifest::has(const char* name) const { return find(name, 0).data() != nullptr; }

Result<std::string_view> Manifest::value(const char* name) const {
  const std::string_view found = find(name, 0);
  if (found.data() == nullptr) return damaged_line(name);
  return found;
}

Result<u64> Manifest::number(const char* name) const {
  u64 number = 0;
  if (!parse(find(name, 0), number, 10)) return damaged_line(name);
  return number;
}

u64 Manifest::number_or_zero(const char* name) const {
  const Result<u64> found = number(name);
  return found.ok() ? found.value() : 0;
}

Status Manifest::words(const char* name, std::span<Word> into) const {
  std::string_view rest = find(name, 0);
  if (rest.data() == nullptr) return damaged_line(name);
  for (Word& word : into) {
    if (!parse(take_word(rest), word, 16)) return damaged_line(name);
  }
  return rest.empty() ? Status() : damaged_line(name);
}

bool Manifest::file(u32 i, File& out) const {
  std::string_view rest = find(kFile, i);
  out.plain = rest.data() == nullptr;
  if (out.plain) {
    u32 blocks = 0;
    while (find(kFile, blocks).data() != nullptr) ++blocks;
    rest = find(kPlain, i - blocks);
  }
  if (rest.data() == nullptr) return false;
  out.name = take_word(rest);
  // A malformed line is a file that no device can have, so that whoever checks sizes refuses it.
  if (!parse(take_word(rest), out.bytes, 10) || !parse(rest, out.chain, 16)) out.bytes = ~u64{0};
  return true;
}

}  // namespace xmc
