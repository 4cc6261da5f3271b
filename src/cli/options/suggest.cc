#include "cli/options/suggest.h"

#include "cli/options/option_words.h"
#include "cli/options/units.h"

namespace xmc {

void Suggestion::offer(std::string_view candidate) {
  const u32 distance = edit_distance(word_, candidate, limit_);
  const bool better = best_.empty() ? distance <= limit_ : distance < limit_;
  if (!better) return;
  best_ = candidate;
  limit_ = distance;
}

std::string_view nearest_command(std::string_view word) {
  Suggestion suggestion(word);
  for (const CommandInfo& info : kCommandTable) suggestion.offer(info.name);
  return suggestion.best();
}

std::string_view nearest_word(const OptionInfo& info, std::string_view value) {
  Suggestion suggestion(value);
  each_word(info, [&](std::string_view word) { suggestion.offer(word); });
  return suggestion.best();
}

Status check_engine_name(const OptionInfo& info, std::string_view value) {
  for (const EngineInfo& engine : engines()) {
    if (value == engine.traits->name) return {};
  }
  const std::string_view nearest = nearest_word(info, value);
  if (value == info.standard || nearest.empty()) return {};
  return Status::fail(Code::usage, "there is no engine '%.*s'%s",
                      static_cast<int>(value.size() < 60 ? value.size() : 60), value.data(),
                      Hint(nearest).c_str());
}

Status check_language_name(const OptionInfo& info, std::string_view value) {
  if (value == info.standard || language_by_name(value) != nullptr) return {};
  Hint hint(nearest_word(info, value));
  if (hint.size() == 0) {
    const char* before = "; available: ";
    each_word(info, [&](std::string_view word) {
      hint.add(before).add(word);
      before = ", ";
    });
  }
  return Status::fail(Code::usage, "there is no language '%.*s'%s",
                      static_cast<int>(value.size() < 60 ? value.size() : 60), value.data(),
                      hint.c_str());
}

}  // namespace xmc
