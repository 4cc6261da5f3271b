#include "report/output.h"

#include <charconv>
#include <cstdarg>

#include "report/characters.h"
#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

namespace {

Status write_escaped(Output::Write write, void* self, std::string_view text) {
  FixedText<256> piece;
  Status status;
  while (!text.empty() && status.ok()) {
    const u32 length = shown_length(text);
    if (length != 0) {
      piece.add(piece_of(text, 0, length));
    } else {
      piece.format("\\x%02x", static_cast<unsigned>(static_cast<u8>(text.front())));
    }
    text.remove_prefix(length == 0 ? 1 : length);
    if (!text.empty() && piece.size() < 240) continue;
    status = write(self, piece.view());
    piece.clear();
  }
  return status;
}

}  // namespace

Output& Output::add(std::string_view bytes) {
  while (!bytes.empty() && status_.ok()) {
    if (used_ == buffer_.size()) {
      // The failure is kept; the loop ends on it.
      push_out(true);
      if (!status_.ok()) break;
    }
    const std::size_t room = buffer_.size() - used_;
    const std::size_t part = bytes.size() < room ? bytes.size() : room;
    copy(buffer_.subspan(used_, part), std::span<const char>(bytes.data(), part));
    used_ += part;
    bytes.remove_prefix(part);
  }
  return *this;
}

Output& Output::number(u64 value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  return add({digits, static_cast<std::size_t>(end.ptr - digits)});
}

Output& Output::signed_number(i64 value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  return add({digits, static_cast<std::size_t>(end.ptr - digits)});
}

Output& Output::format(const char* pattern, ...) {
  FixedText<512> text;
  va_list args;
  va_start(args, pattern);
  text.vformat(pattern, args);
  va_end(args);
  XMC_CHECK(!text.cut());
  return add(text.view());
}

Output& Output::spaces(u32 count) {
  while (count-- > 0) add(' ');
  return *this;
}

// A character that more bytes are to follow of stays, so that no writer sees half of one.
void Output::push_out(bool whole_characters) {
  XMC_CHECK(!buffer_.empty());
  const std::string_view text(buffer_.data(), used_);
  const std::size_t rest = whole_characters ? unfinished_bytes(text) : 0;
  const std::string_view ready = piece_of(text, 0, used_ - rest);
  if (!ready.empty() && status_.ok()) {
    status_ = escapes_ ? write_escaped(write_, self_, ready) : write_(self_, ready);
  }
  copy(buffer_.first(rest), std::span<const char>(text.data() + ready.size(), rest));
  used_ = rest;
}

Output& Output::control(std::string_view bytes) {
  push_out(false);
  if (status_.ok()) status_ = write_(self_, bytes);
  return *this;
}

Status Output::flush() {
  push_out(false);
  return status_;
}

}  // namespace xmc
