#include "report/output.h"

#include <charconv>
#include <cstdarg>

#include "xmc/bytes.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

Output& Output::add(std::string_view bytes) {
  while (!bytes.empty() && status_.ok()) {
    if (used_ == buffer_.size()) {
      // flush() keeps the failure; the loop ends on it.
      if (!flush().ok()) break;
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

Status Output::flush() {
  XMC_CHECK(!buffer_.empty());
  if (used_ > 0 && status_.ok()) status_ = write_(self_, {buffer_.data(), used_});
  used_ = 0;
  return status_;
}

}  // namespace xmc
