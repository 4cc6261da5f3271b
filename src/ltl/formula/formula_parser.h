// Text of a formula to its tree. What binds tightest comes first; all binary operators but the
// first line's are as in Spot:
//
//   ! ~ not   X   F <> eventually   G [] always
//   U until   R V release   W weakuntil   M             to the right: p U q U r is p U (q U r)
//   & && /\ and                                         to the left
//   | || \/ or                                          to the left
//   ^ xor                                               to the left
//   -> --> => implies   <-> <--> <=> equivalent         to the right
//
// Several of G, F and X may stand in one word: GF p. A longer word is a name: GFp is one.
//
// A proposition is quoted text, or bare: names with fields and indices, numbers, + - * / % << >>
// between them, and at most one comparison: P.wait, a[i+1], x+1 < y. The texts are kept as they
// are and parsed by nobody here. Outside of quotes -> is an implication and & | ^ join formulas;
// names such as G or U need quotes. 1 and 0 alone are true and false.
//
// (Spin gives U, &&, || and -> less different precedences, and groups them to the left: formulas
// that go to both need parentheses.)
#pragma once

#include <string_view>

#include "ltl/formula/formula.h"
#include "ltl/formula/propositions.h"
#include "xmc/status.h"

namespace xmc::ltl {

// Bytes of a text that a message is about, if it is about some.
struct TextRange {
  u32 begin = kNone;
  u32 end = kNone;

  bool known() const { return begin != kNone; }
};

// After a failure `where` says what the message is about; the caller shows the place.
Status parse_formula(std::string_view text, Formulas& formulas, Propositions& propositions,
                     Formula& out, TextRange& where);

// The same without temporal operators, whose letters are names then: guards of never claims.
Status parse_guard(std::string_view text, Formulas& formulas, Propositions& propositions,
                   Formula& out, TextRange& where);

// Whether a guard with this text alone is one bare proposition with this very text.
bool is_bare_proposition(std::string_view text);

}  // namespace xmc::ltl
