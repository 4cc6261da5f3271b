// What somebody may have meant by a misspelt command, option or value.
#pragma once

#include <string_view>

#include "cli/options/options.h"
#include "xmc/text.h"

namespace xmc {

// Which of some words is near. After offering all of them, best() is the nearest one, or empty when
// none is near enough to be named.
class Suggestion {
 public:
  explicit Suggestion(std::string_view word) : word_(word), limit_(word.size() > 5 ? 2 : 1) {}

  // At equal distance the first one stays.
  void offer(std::string_view candidate);
  std::string_view best() const { return best_; }

 private:
  std::string_view word_;
  std::string_view best_;
  u32 limit_;
};

// "; did you mean stuck?" for the end of a message, or nothing.
class Hint : public FixedText<80> {
 public:
  explicit Hint(std::string_view best) {
    if (!best.empty()) add("; did you mean ").add(best).add('?');
  }
};

std::string_view nearest_command(std::string_view word);
std::string_view nearest_word(const OptionInfo& info, std::string_view value);

// Fails for a name that is near that of an engine. Any other is left to the registry, which has the
// list of them.
Status check_engine_name(const OptionInfo& info, std::string_view value);
// Fails for every name that no language has.
Status check_language_name(const OptionInfo& info, std::string_view value);

}  // namespace xmc
