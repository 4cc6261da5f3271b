// Text: a bounded buffer that text is appended to. What does not fit is cut and remembered; nothing
// is allocated. The only formatter of the product (snprintf underneath; integers and strings do not
// allocate).
#pragma once

#include <cstdarg>
#include <cstddef>
#include <string_view>

#include "xmc/types.h"

namespace xmc {

class Text {
 public:
  Text(char* buffer, u32 capacity) : data_(buffer), capacity_(capacity) { clear(); }

  void clear();
  Text& add(std::string_view piece);
  Text& add(char c) { return add(std::string_view(&c, 1)); }
  [[gnu::format(printf, 2, 3)]] Text& format(const char* pattern, ...);
  Text& vformat(const char* pattern, va_list args);
  Text& number(u64 value);      // 1234567
  Text& grouped(u64 value);     // 1,234,567
  Text& bytes(u64 value);       // 31.5 MiB
  Text& seconds(double value);  // 2 h 03 m, 4 m 10 s, 12.3 s
  Text& pad_to(u32 column);     // blanks up to this length of the current text
  Text& pad_left(std::string_view piece, u32 width);

  std::string_view view() const { return {data_, size_}; }
  const char* c_str() const { return data_; }
  u32 size() const { return size_; }
  bool cut() const { return cut_; }

 private:
  char* data_;
  u32 capacity_;  // one byte of it is kept for the final zero
  u32 size_ = 0;
  bool cut_ = false;
};

// `count` characters from `begin` on, or what there is of them: substr() without its exception,
// which would bring the whole of that machinery into a static program.
constexpr std::string_view piece_of(std::string_view text, std::size_t begin,
                                    std::size_t count = std::string_view::npos) {
  if (begin > text.size()) begin = text.size();
  const std::size_t rest = text.size() - begin;
  return {text.data() + begin, count < rest ? count : rest};
}

template <u32 Capacity>
class FixedText : public Text {
 public:
  FixedText() : Text(storage_, Capacity) {}
  FixedText(const FixedText&) = delete;
  FixedText& operator=(const FixedText&) = delete;

 private:
  char storage_[Capacity];
};

}  // namespace xmc
