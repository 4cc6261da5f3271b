// Text: the one place where the product formats; all of it goes into memory of the caller.
#include "xmc/text.h"

#include <charconv>
#include <cstdio>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

void Text::clear() {
  XMC_CHECK(capacity_ > 0);
  size_ = 0;
  cut_ = false;
  data_[0] = '\0';
}

Text& Text::add(std::string_view piece) {
  const u32 room = capacity_ - 1 - size_;
  u32 length = static_cast<u32>(piece.size());
  if (piece.size() > room) {
    length = room;
    cut_ = true;
  }
  copy(std::span<char>(data_ + size_, length), std::span<const char>(piece.data(), length));
  size_ += length;
  data_[size_] = '\0';
  return *this;
}

Text& Text::format(const char* pattern, ...) {
  va_list args;
  va_start(args, pattern);
  vformat(pattern, args);
  va_end(args);
  return *this;
}

Text& Text::vformat(const char* pattern, va_list args) {
  const u32 room = capacity_ - size_;
  const int wanted = std::vsnprintf(data_ + size_, room, pattern, args);
  XMC_CHECK(wanted >= 0);
  if (static_cast<u32>(wanted) >= room) {
    size_ = capacity_ - 1;
    cut_ = true;
  } else {
    size_ += static_cast<u32>(wanted);
  }
  return *this;
}

Text& Text::number(u64 value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  return add({digits, static_cast<std::size_t>(end.ptr - digits)});
}

Text& Text::grouped(u64 value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  const u32 count = static_cast<u32>(end.ptr - digits);
  for (u32 i = 0; i < count; ++i) {
    if (i != 0 && (count - i) % 3 == 0) add(',');
    add(digits[i]);
  }
  return *this;
}

Text& Text::bytes(u64 value) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  if (value < 1024) return number(value).add(" B");
  u32 unit = 0;
  double scaled = static_cast<double>(value);
  while (scaled >= 1023.95 && unit < 4) {
    scaled /= 1024;
    ++unit;
  }
  return format("%.1f %s", scaled, kUnits[unit]);
}

Text& Text::seconds(double value) {
  const u64 whole = static_cast<u64>(value);
  if (whole >= 3600) {
    return number(whole / 3600).format(" h %02u m", static_cast<unsigned>(whole / 60 % 60));
  }
  if (whole >= 60) return number(whole / 60).format(" m %02u s", static_cast<unsigned>(whole % 60));
  return format("%.2f s", value);
}

Text& Text::pad_to(u32 column) {
  while (size_ < column && !cut_) add(' ');
  return *this;
}

Text& Text::pad_left(std::string_view piece, u32 width) {
  for (u64 i = piece.size(); i < width; ++i) add(' ');
  return add(piece);
}

}  // namespace xmc
