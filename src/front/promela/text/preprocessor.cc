#include "front/promela/text/preprocessor.h"

#include "front/promela/text/directives.h"
#include "xmc/limits.h"

namespace xmc::promela {

// A definition is read as the line "#define NAME VALUE" would be.
void FileReader::define(const Definition& definition) {
  Macro macro;
  macro.name = definition.name;
  macro.first = macros_.texts.size();
  RawLexer lexer(definition.value.empty() ? std::string_view("1") : definition.value, 0, nullptr);
  for (RawToken token = lexer.next(); token.kind != Raw::end; token = lexer.next()) {
    if (macros_.is_full()) return;
    token.place = {};
    token.is_first = false;
    macros_.texts.push(token);
  }
  macro.count = macros_.texts.size() - macro.first;
  if (!is_name(definition.name)) {
    diagnostics_.error(0, 0, "--define %.*s: a name is expected in front of '='",
                       shown_bytes(definition.name), definition.name.data());
    return;
  }
  macros_.undefine(macro.name);
  add_macro(macro, {});
}

void FileReader::read(u32 file) {
  const u32 branches = branch_count_;
  const u32 outer = first_branch_;
  first_branch_ = branches;
  ++file_depth_;
  RawLexer lexer(files_[file].text, files_[file].first, &diagnostics_);
  for (;;) {
    expander_.set_file(&lexer);
    read_tokens(lexer);
    if (expander_.is_abandoned()) break;
    const RawToken token = lexer.next();
    if (token.kind == Raw::end) break;
    obey(lexer, file);
    bool goes_on = true;
    while (goes_on && branch_count_ > branches && !branches_[branch_count_ - 1].is_read) {
      goes_on = skip_branch(lexer);
    }
  }
  if (branch_count_ > branches && !expander_.is_abandoned()) {
    const Span place = branches_[branch_count_ - 1].place;
    diagnostics_.error(place.begin, place.end, "this #if has no #endif");
  }
  branch_count_ = branches;
  first_branch_ = outer;
  --file_depth_;
}

// A text behind all others.
void FileReader::read_more(Source source) {
  if (files_.full()) return expander_.abandon();
  const Source& last = files_[files_.size() - 1];
  source.first = last.first + static_cast<u32>(last.text.size()) + 1;
  const u32 added = files_.push(source);
  diagnostics_.include(files_[added]);
  read(added);
}

// Up to a directive or the end of the file.
void FileReader::read_tokens(RawLexer& lexer) {
  for (;;) {
    if (expander_.is_idle()) {
      expander_.release(0);
      const RawToken ahead = lexer.quiet().next();
      if (ahead.kind == Raw::end || (ahead.is_first && ahead.text == "#")) return;
    }
    const RawToken token = expander_.next();
    if (token.kind == Raw::end) {
      if (expander_.is_abandoned()) return;
      continue;
    }
    writer_.add(token);
    if (writer_.is_full() && !expander_.is_abandoned()) {
      diagnostics_.error(token.place.begin, token.place.end,
                         "more than %llu tokens; the model is too large", wide(Tokens::capacity()));
      expander_.abandon();
    }
  }
}

void preprocess(const Source& source, std::span<const Definition> definitions,
                const IncludeReader& reader, AskedTexts asked, Diagnostics& diagnostics,
                Arena& arena, Files& files, Tokens& tokens) {
  files.push(source);
  FileReader file_reader(diagnostics, arena, reader, files, tokens);
  for (const Definition& definition : definitions) file_reader.define(definition);
  file_reader.read(0);
  for (const Source& text : asked) {
    file_reader.read_more({text.name, "ltl {"});
    file_reader.read_more(text);
    file_reader.read_more({text.name, "}"});
  }
  const u32 end = static_cast<u32>(source.text.size());
  file_reader.finish({end, end});
}

}  // namespace xmc::promela
