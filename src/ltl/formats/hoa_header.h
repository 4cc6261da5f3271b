// The header of an HOA automaton, and what header and body share: the current token, failures, and
// label expressions.
#pragma once

#include <span>
#include <string_view>

#include "ltl/formats/hoa_lexer.h"
#include "ltl/formula/formula.h"
#include "ltl/formula/formula_parser.h"
#include "ltl/formula/propositions.h"
#include "xmc/arena.h"
#include "xmc/status.h"

namespace xmc::ltl {

// Reads token by token. The first failure stays; after it there are only ends.
class HoaCursor {
 public:
  HoaCursor(std::string_view text, Formulas& formulas, Arena& arena);

  const HoaToken& now() const { return now_; }
  std::string_view text() const { return lexer_.text(now_); }
  void advance();
  bool is(HoaSign sign) const { return now_.sign == sign; }
  bool is_mark(char c) const { return now_.sign == HoaSign::mark && now_.mark == c; }
  bool is_header(std::string_view name) const { return is(HoaSign::header) && text() == name; }
  bool is_word(std::string_view word) const { return is(HoaSign::word) && text() == word; }
  bool take_mark(char c);
  void need_mark(char c);
  // A number below `limit`, which `what` is the name of.
  u32 need_number(const char* what, u32 limit);

  bool failed() const { return !status_.ok(); }
  void fail(const HoaToken& token, const Status& status);
  void expected(const char* what);
  const Status& status() const { return status_; }
  TextRange where() const { return where_; }

  // An expression over numbers of propositions, aliases, t and f.
  Formula parse_label(u32 propositions);
  void define_alias(std::string_view name, Formula label);

 private:
  static constexpr u32 kAliases = 256;

  Formula parse_or(u32 propositions);
  Formula parse_and(u32 propositions);
  Formula parse_atom(u32 propositions);
  Formula make(Op op, u32 a, u32 b = 0);

  struct Alias {
    std::string_view name;
    Formula label;
  };

  HoaLexer lexer_;
  Formulas& formulas_;
  HoaToken now_;
  std::span<Alias> aliases_;
  u32 alias_count_ = 0;
  u32 depth_ = 0;
  Status status_;
  TextRange where_;
};

struct HoaHeader {
  static constexpr u32 kStarts = 64;

  u32 states = kNone;  // if it is said
  u32 starts[kStarts] = {};
  u32 start_count = 0;
  bool has_propositions = false;
  std::string_view propositions[limits::kPropositions];  // escapes removed
  u32 proposition_count = 0;
  bool has_acceptance = false;
  bool never = false;  // acceptance f
  u32 sets = 0;        // as declared
  u64 required = 0;    // the i of Inf(i)
};

// Up to and including --BODY--.
void read_hoa_header(HoaCursor& cursor, Arena& arena, HoaHeader& out);

}  // namespace xmc::ltl
