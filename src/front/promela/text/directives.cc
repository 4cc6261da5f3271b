#include "front/promela/text/directives.h"

#include "front/promela/text/condition.h"
#include "xmc/check.h"
#include "xmc/limits.h"
#include "xmc/text.h"

namespace xmc::promela {

// The next token of the line; Raw::end behind its last one, which is not taken.
RawToken FileReader::take_on_line(RawLexer& lexer) const {
  if (const RawToken ahead = lexer.quiet().next(); ahead.is_first) {
    RawToken end;
    end.place = lexer.here();
    return end;
  }
  return lexer.next();
}

void FileReader::skip_line(RawLexer& lexer) const {
  while (take_on_line(lexer).kind != Raw::end) continue;
}

// Behind the '#' that begins a line which is read.
void FileReader::obey(RawLexer& lexer, u32 file) {
  const RawToken word = take_on_line(lexer);
  if (word.kind == Raw::end) return;
  if (word.text == "define") return obey_define(lexer);
  if (word.text == "undef") return obey_undef(lexer);
  if (word.text == "include") return obey_include(lexer, word.place, file);
  if (word.text == "error") return obey_message(lexer, word.place, true);
  if (word.text == "warning") return obey_message(lexer, word.place, false);
  if (obey_condition(word.text, lexer, word.place)) return;
  if (word.text == "line" || word.text == "pragma" || word.text == "ident" ||
      word.kind == Raw::number) {
    lexer.take_line();
    return;
  }
  diagnostics_.error(word.place.begin, word.place.end, "unknown directive '#%.*s'",
                     shown_bytes(word.text), word.text.data());
  lexer.take_line();
}

bool FileReader::add_macro(const Macro& macro, Span place) {
  if (!macros_.is_full()) {
    macros_.define(macro);
    return true;
  }
  if (!expander_.is_abandoned()) {
    diagnostics_.error(place.begin, place.end, "too many macros, or too long ones");
  }
  expander_.abandon();
  return false;
}

// Behind the '(' of a definition.
bool FileReader::take_parameters(RawLexer& lexer, Macro& macro) {
  macro.is_function = true;
  macro.first_parameter = macros_.parameters.size();
  RawToken token = take_on_line(lexer);
  if (token.text == ")") return true;
  for (;;) {
    if (token.kind != Raw::name) break;
    if (macro.parameter_count == limits::kMacroParameters || macros_.parameters.full()) {
      diagnostics_.error(token.place.begin, token.place.end,
                         "more than %u parameters; macros have no more",
                         static_cast<unsigned>(limits::kMacroParameters));
      return false;
    }
    macros_.parameters.push(token.text);
    ++macro.parameter_count;
    token = take_on_line(lexer);
    if (token.text == ")") return true;
    if (token.text != ",") break;
    token = take_on_line(lexer);
  }
  diagnostics_.error(token.place.begin, token.place.end,
                     "the parameters of a macro are names between commas");
  return false;
}

void FileReader::obey_define(RawLexer& lexer) {
  const RawToken name = take_on_line(lexer);
  if (name.kind != Raw::name) {
    diagnostics_.error(name.place.begin, name.place.end, "#define needs a name");
    return skip_line(lexer);
  }
  Macro macro;
  macro.name = name.text;
  const RawToken ahead = lexer.quiet().next();
  if (!ahead.is_first && !ahead.has_blank && ahead.text == "(") {
    lexer.next();
    if (!take_parameters(lexer, macro)) return skip_line(lexer);
  }
  macro.first = macros_.texts.size();
  for (RawToken token = take_on_line(lexer); token.kind != Raw::end; token = take_on_line(lexer)) {
    if (macros_.texts.full()) break;
    macros_.texts.push(token);
  }
  macro.count = macros_.texts.size() - macro.first;
  if (macro.count > 0) {
    const RawToken& first = macros_.texts[macro.first];
    const RawToken& last = macros_.texts[macro.first + macro.count - 1];
    if (first.text == "##" || last.text == "##") {
      diagnostics_.error(name.place.begin, name.place.end, "'##' joins two tokens of a macro");
      return;
    }
  }
  macros_.undefine(macro.name);
  add_macro(macro, name.place);
}

void FileReader::obey_undef(RawLexer& lexer) {
  const RawToken name = take_on_line(lexer);
  if (name.kind != Raw::name) {
    diagnostics_.error(name.place.begin, name.place.end, "#undef needs a name");
  } else {
    macros_.undefine(name.text);
  }
  skip_line(lexer);
}

void FileReader::obey_message(RawLexer& lexer, Span place, bool is_error) {
  const std::string_view text = lexer.take_line();
  if (is_error) {
    diagnostics_.error(place.begin, place.end, "#error %.*s", shown_bytes(text), text.data());
    expander_.abandon();
  } else {
    diagnostics_.warning(place.begin, place.end, "#warning %.*s", shown_bytes(text), text.data());
  }
}

// A name beside the file that includes it.
std::string_view FileReader::path_of(std::string_view including, std::string_view name) {
  const std::size_t slash = including.rfind('/');
  if (slash == std::string_view::npos || name.starts_with("/")) return name;
  const std::size_t folder = slash + 1;
  const u64 size = folder + name.size();
  char* const bytes = static_cast<char*>(arena_.scratch("file names", size, 1));
  for (std::size_t i = 0; i < folder; ++i) bytes[i] = including[i];
  for (std::size_t i = 0; i < name.size(); ++i) bytes[folder + i] = name[i];
  return {bytes, static_cast<std::size_t>(size)};
}

void FileReader::obey_include(RawLexer& lexer, Span place, u32 file) {
  const RawToken name = take_on_line(lexer);
  skip_line(lexer);
  if (name.kind != Raw::string) {
    diagnostics_.error(place.begin, place.end, "#include needs the name of a file in quotes");
    return;
  }
  if (file_depth_ >= limits::kIncludeDepth || files_.full()) {
    diagnostics_.error(name.place.begin, name.place.end,
                       "files are included more than %u deep, or too many of them",
                       static_cast<unsigned>(limits::kIncludeDepth));
    return expander_.abandon();
  }
  const Source& last = files_[files_.size() - 1];
  const u64 first = u64{last.first} + last.text.size() + 1;
  const std::string_view written = piece_of(name.text, 1, name.text.size() - 2);
  Source source;
  source.name = path_of(files_[file].name, written);
  if (reader_.read == nullptr || !reader_.read(reader_.self, source.name, source.text)) {
    diagnostics_.error(name.place.begin, name.place.end, "file '%.*s' cannot be read",
                       shown_bytes(source.name), source.name.data());
    return;
  }
  if (first + source.text.size() > limits::kSourceBytes) {
    diagnostics_.error(name.place.begin, name.place.end, "all texts together are longer than %u",
                       static_cast<unsigned>(limits::kSourceBytes));
    return expander_.abandon();
  }
  source.first = static_cast<u32>(first);
  const u32 included = files_.push(source);
  diagnostics_.include(files_[included]);
  read(included);
}

}  // namespace xmc::promela
