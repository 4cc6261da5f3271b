// Puts the texts of macros in the place of their names. Tokens come from a file or from a list of
// tokens; the text of a macro becomes a list in front of the rest, and is looked at again.
//
// Expanding an argument recurses, at most limits::kMacroDepth deep. What macros can do in all is
// bounded by limits::kMacroExpansions and by the room for lists; after that everything is taken as
// read.
#pragma once

#include "front/promela/text/macros.h"
#include "front/promela/text/raw_lexer.h"
#include "front/source.h"
#include "front/stack.h"
#include "xmc/arena.h"

namespace xmc::promela {

// A range of the expander's own tokens.
struct RawList {
  u32 first = 0;
  u32 count = 0;
};

class Expander {
 public:
  Expander(Arena& arena, Diagnostics& diagnostics, Macros& macros);

  // Tokens are read from there when there are no others.
  void set_file(RawLexer* file) { file_ = file; }
  // Nothing of a macro is left to be read.
  bool is_idle();
  // The next token with all macros expanded; Raw::end at the end.
  RawToken next();

  // A list of one's own, gathered with push() and expanded as a whole.
  u32 mark() const { return lists_.size(); }
  void push(const RawToken& token);
  RawList expand(RawList list);
  const RawToken& operator[](u32 index) const { return lists_[index]; }
  void release(u32 mark) { lists_.cut(mark); }

  bool is_abandoned() const { return abandoned_; }
  void abandon() { abandoned_ = true; }

 private:
  struct Frame {
    u32 at = 0;
    u32 end = 0;
    u32 macro = kNone;
  };
  static constexpr u32 kArguments = limits::kMacroParameters;

  RawToken take();
  RawToken peek() const;
  bool start(const RawToken& name, u32 macro);
  bool take_arguments(const RawToken& name, u32 macro, RawList* arguments);
  bool take_argument_list(const RawToken& name, RawList* arguments, u32& count);
  bool is_pasted(const Macro& macro, u32 index) const;
  void expand_arguments(const Macro& macro, const RawList* raw, RawList* expanded);
  RawList substitute(const RawToken& name, const Macro& macro, const RawList* raw,
                     const RawList* expanded);
  void append(RawToken token, const RawToken& name, bool pasted, u32 begin);
  RawToken paste(const RawToken& left, const RawToken& right);
  RawToken quote(RawList list, Span place);
  void give_up(Span place, const char* what, u64 limit);

  Arena& arena_;
  Diagnostics& diagnostics_;
  Macros& macros_;
  RawLexer* file_ = nullptr;
  Stack<RawToken> lists_;
  Stack<RawToken> results_;
  Stack<Frame> frames_;
  u32 base_ = 0;  // frames that the expansion of a list does not see
  u32 depth_ = 0;
  u32 expansions_ = 0;
  bool line_begins_ = false;  // a first token of a line was expanded to nothing
  bool abandoned_ = false;
};

}  // namespace xmc::promela
