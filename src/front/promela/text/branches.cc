// #if and its relatives: which lines of a text are read.
#include "front/promela/text/condition.h"
#include "front/promela/text/directives.h"
#include "xmc/limits.h"

namespace xmc::promela {

namespace {

bool opens_branch(std::string_view word) {
  return word == "if" || word == "ifdef" || word == "ifndef";
}

}  // namespace

void FileReader::open_branch(Span place, bool is_read) {
  if (branch_count_ == limits::kConditionalDepth) {
    diagnostics_.error(place.begin, place.end, "#if nested deeper than %u levels",
                       static_cast<unsigned>(limits::kConditionalDepth));
    return expander_.abandon();
  }
  branches_[branch_count_++] = {place, is_read, is_read, false};
}

// `X` or `(X)` behind `defined`, which becomes a number in the list.
void FileReader::take_defined(RawLexer& lexer) {
  RawToken name = take_on_line(lexer);
  const bool has_paren = name.text == "(";
  if (has_paren) name = take_on_line(lexer);
  RawToken number = name;
  number.kind = Raw::number;
  number.text = macros_.find(name.text) != kNone ? "1" : "0";
  if (name.kind != Raw::name || (has_paren && take_on_line(lexer).text != ")")) {
    diagnostics_.error(name.place.begin, name.place.end, "'defined' asks for a name");
  }
  expander_.push(number);
}

bool FileReader::take_condition(RawLexer& lexer, Span place) {
  const u32 mark = expander_.mark();
  for (RawToken token = take_on_line(lexer); token.kind != Raw::end; token = take_on_line(lexer)) {
    if (token.text == "defined") {
      take_defined(lexer);
    } else {
      expander_.push(token);
    }
  }
  const RawList list = expander_.expand({mark, expander_.mark() - mark});
  bool out = false;
  if (!expander_.is_abandoned()) evaluate_condition(expander_, list, place, diagnostics_, out);
  expander_.release(mark);
  return out;
}

bool FileReader::take_is_defined(RawLexer& lexer, Span place) {
  const RawToken name = take_on_line(lexer);
  skip_line(lexer);
  if (name.kind != Raw::name) {
    diagnostics_.error(place.begin, place.end, "a name is expected behind this");
    return false;
  }
  return macros_.find(name.text) != kNone;
}

// A directive of this family; false when it is another one. Behind #else and #elif of a branch that
// was read, the rest is not.
bool FileReader::obey_condition(std::string_view word, RawLexer& lexer, Span place) {
  if (word == "if") {
    open_branch(place, take_condition(lexer, place));
    return true;
  }
  if (word == "ifdef" || word == "ifndef") {
    open_branch(place, take_is_defined(lexer, place) == (word == "ifdef"));
    return true;
  }
  if (word != "else" && word != "elif" && word != "endif") return false;
  if (branch_count_ == first_branch_) {
    diagnostics_.error(place.begin, place.end, "there is no #if before this");
    skip_line(lexer);
    return true;
  }
  Branch& branch = branches_[branch_count_ - 1];
  if (word != "endif" && branch.has_else) {
    diagnostics_.error(place.begin, place.end, "an #else stands before this");
  }
  if (word == "endif") {
    --branch_count_;
  } else if (word == "else") {
    branch.has_else = true;
    branch.is_read = !branch.was_read;
    branch.was_read = true;
  } else {
    branch.is_read = !branch.was_read && take_condition(lexer, place);
    branch.was_read = branch.was_read || branch.is_read;
  }
  skip_line(lexer);
  return true;
}

// Skips lines up to a directive that ends the branch, and obeys that one; false at the end of the
// file.
bool FileReader::skip_branch(RawLexer& lexer) {
  u32 nested = 0;
  for (;;) {
    RawLexer ahead = lexer.quiet();
    const RawToken mark = ahead.next();
    if (mark.kind == Raw::end) return false;
    if (!mark.is_first || mark.text != "#") {
      lexer = ahead.with(lexer);
      continue;
    }
    const RawToken word = take_on_line(ahead);
    lexer = ahead.with(lexer);
    if (opens_branch(word.text)) ++nested;
    const bool continues = word.text == "else" || word.text == "elif";
    if (nested == 0 && (continues || word.text == "endif")) {
      obey_condition(word.text, lexer, word.place);
      return true;
    }
    if (word.text == "endif") --nested;
  }
}

}  // namespace xmc::promela
