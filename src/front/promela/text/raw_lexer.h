// Tokens as the preprocessor sees them: words, numbers, texts and marks of a file, without meaning.
// Comments and continued lines are blanks here. A token says whether it is the first of its line:
// directives begin so, and a line's end can be a semicolon (token_writer.h).
#pragma once

#include <string_view>

#include "front/source.h"
#include "xmc/types.h"

namespace xmc::promela {

enum class Raw : u8 { end, name, number, string, character, mark };

struct RawToken {
  std::string_view text;
  Span place;
  Raw kind = Raw::end;
  bool is_first = false;   // of its line
  bool has_blank = false;  // in front of it
  bool is_fixed = false;   // the name of a macro that is not expanded any more
};

class RawLexer {
 public:
  RawLexer() = default;
  // Places are counted from `first` on. Without diagnostics nothing is reported.
  RawLexer(std::string_view text, u32 first, Diagnostics* diagnostics);

  // The next token; Raw::end for ever after the last one. Bytes that start no token are reported
  // and skipped.
  RawToken next();
  // A copy that reports nothing, to look ahead with.
  RawLexer quiet() const;
  // A copy that reports as `other` does.
  RawLexer with(const RawLexer& other) const;
  // The rest of the line, which is skipped: the words of #error are no tokens.
  std::string_view take_line();
  // Where the next token would be looked for.
  Span here() const { return {first_ + at_, first_ + at_}; }

 private:
  char at(u32 offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  u32 continuation(u32 offset) const;
  void skip_blanks(RawToken& token);
  bool skip_comment();
  bool lex_quoted(RawToken& token);
  void finish(RawToken& token, Raw kind, u32 begin) const;
  void skip_strange_bytes();

  std::string_view text_;
  Diagnostics* diagnostics_ = nullptr;
  u32 first_ = 0;
  u32 at_ = 0;
  bool at_line_ = true;  // no token of the line has been seen
};

// The length of the mark that a text begins with, or 0.
u32 mark_length(std::string_view text);
bool is_name(std::string_view text);

}  // namespace xmc::promela
