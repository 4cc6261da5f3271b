#include "front/promela/text/tokens.h"

#include <iterator>

namespace xmc::promela {

namespace {

constexpr std::string_view kKeywords[] = {
    "D_proctype", "active", "assert",       "atomic",   "bit",      "bool",     "break",
    "byte",       "c_code", "c_decl",       "c_expr",   "c_state",  "c_track",  "chan",
    "d_step",     "do",     "else",         "empty",    "enabled",  "eval",     "fi",
    "for",        "full",   "get_priority", "goto",     "hidden",   "if",       "init",
    "inline",     "int",    "len",          "local",    "ltl",      "mtype",    "nempty",
    "never",      "nfull",  "notrace",      "np_",      "od",       "of",       "pc_value",
    "pid",        "printf", "printm",       "priority", "proctype", "provided", "return",
    "run",        "select", "set_priority", "short",    "show",     "timeout",  "trace",
    "typedef",    "unless", "unsigned",     "xr",       "xs",
};
constexpr u32 kFirstKeyword = static_cast<u32>(Tok::kw_D_proctype);
static_assert(std::size(kKeywords) == static_cast<u32>(Tok::kw_xs) - kFirstKeyword + 1);

constexpr std::string_view kMarks[] = {
    "<->", "::", "->", "..",  "++",  "--", "!!", "??", "<<", ">>", "<=", ">=", "==", "!=", "&&",
    "||",  "[]", "<>", "\\/", "/\\", ":",  ";",  ",",  ".",  "(",  ")",  "[",  "]",  "{",  "}",
    "@",   "=",  "!",  "?",   "+",   "-",  "*",  "/",  "%",  "<",  ">",  "&",  "|",  "^",  "~",
};
constexpr u32 kFirstMark = static_cast<u32>(Tok::equivalent);
static_assert(std::size(kMarks) == static_cast<u32>(Tok::unknown) - kFirstMark);

}  // namespace

Tok keyword_or_name(std::string_view word) {
  for (u32 i = 0; i < std::size(kKeywords); ++i) {
    if (word == kKeywords[i]) return static_cast<Tok>(kFirstKeyword + i);
  }
  return Tok::name;
}

Tok mark_kind(std::string_view mark) {
  for (u32 i = 0; i < std::size(kMarks); ++i) {
    if (mark == kMarks[i]) return static_cast<Tok>(kFirstMark + i);
  }
  return Tok::unknown;
}

}  // namespace xmc::promela
