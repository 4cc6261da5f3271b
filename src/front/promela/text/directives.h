// The lines of a text that begin with '#'.
#pragma once

#include "front/promela/text/expander.h"
#include "front/promela/text/macros.h"
#include "front/promela/text/preprocessor.h"
#include "front/promela/text/raw_lexer.h"
#include "front/promela/text/token_writer.h"

namespace xmc::promela {

// Files, one inside the other, with their directives obeyed.
class FileReader {
 public:
  FileReader(Diagnostics& diagnostics, Arena& arena, const IncludeReader& reader, Files& files,
             Tokens& tokens)
      : diagnostics_(diagnostics),
        arena_(arena),
        reader_(reader),
        files_(files),
        macros_(arena),
        expander_(arena, diagnostics, macros_),
        writer_(tokens, diagnostics) {}

  void define(const Definition& definition);
  void read(u32 file);
  void read_more(Source source);
  void finish(Span place) { writer_.finish(place); }

 private:
  // An #if that is open: whether its lines are read, and whether some branch of it was.
  struct Branch {
    Span place;
    bool is_read = true;
    bool was_read = true;
    bool has_else = false;
  };

  void read_tokens(RawLexer& lexer);
  void obey(RawLexer& lexer, u32 file);
  RawToken take_on_line(RawLexer& lexer) const;
  void skip_line(RawLexer& lexer) const;
  void obey_define(RawLexer& lexer);
  bool take_parameters(RawLexer& lexer, Macro& macro);
  void obey_undef(RawLexer& lexer);
  void obey_include(RawLexer& lexer, Span place, u32 file);
  std::string_view path_of(std::string_view including, std::string_view name);
  void obey_message(RawLexer& lexer, Span place, bool is_error);
  bool obey_condition(std::string_view word, RawLexer& lexer, Span place);
  void open_branch(Span place, bool is_read);
  bool take_condition(RawLexer& lexer, Span place);
  void take_defined(RawLexer& lexer);
  bool take_is_defined(RawLexer& lexer, Span place);
  bool skip_branch(RawLexer& lexer);
  bool add_macro(const Macro& macro, Span place);

  Diagnostics& diagnostics_;
  Arena& arena_;
  const IncludeReader& reader_;
  Files& files_;
  Macros macros_;
  Expander expander_;
  TokenWriter writer_;
  Branch branches_[limits::kConditionalDepth];
  u32 branch_count_ = 0;
  u32 first_branch_ = 0;  // of the file being read
  u32 file_depth_ = 0;
};

}  // namespace xmc::promela
