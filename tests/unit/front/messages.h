// What the tests of all languages need: the messages as one text, and texts without a byte behind
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xmc::test {

inline void collect(void* self, std::string_view text) {
  static_cast<std::string*>(self)->append(text);
}

// Text pieces go through copies of exactly their size, so that a sanitizer sees a read behind the
// end.
struct ExactText {
  explicit ExactText(std::string_view text) : bytes(text.begin(), text.end()) {}
  std::string_view view() const { return {bytes.data(), bytes.size()}; }
  std::vector<char> bytes;
};

}  // namespace xmc::test
