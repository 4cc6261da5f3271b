// What the parsers of all languages have around their cursor: messages at places of the text, pools
// that can be full, and how deep a text nests. A language derives its context from Parsing.
//
// A part of a parser returns false after a mistake in the grammar, already reported; its caller
// skips to the next place where it can go on. A mistake in meaning (an unknown name, a wrong type)
// is reported where it is found, something harmless is put in its place, and parsing continues.
#pragma once

#include <utility>

#include "front/source.h"

namespace xmc {

// Of a token, or anything else that has a beginning and an end.
template <class Piece>
Span span(const Piece& piece) {
  return {piece.begin, piece.end};
}

class Messages {
 public:
  explicit Messages(Diagnostics& diagnostics_in) : diagnostics(diagnostics_in) {}

  [[gnu::format(printf, 3, 4)]] void error(Span place, const char* pattern, ...);
  [[gnu::format(printf, 3, 4)]] void warning(Span place, const char* pattern, ...);
  [[gnu::format(printf, 3, 4)]] void note(Span place, const char* pattern, ...);

  Diagnostics& diagnostics;
};

template <class Cursor>
struct Parsing : Messages {
  template <class... Args>
  explicit Parsing(Diagnostics& diagnostics_in, Args&&... args)
      : Messages(diagnostics_in), cursor(std::forward<Args>(args)...) {}

  Cursor cursor;
  u32 depth = 0;   // of nested expressions
  u32 blocks = 0;  // of nested statements and the like

  // Adds to a pool of the tree; a full one is reported with its capacity and ends the parsing.
  template <class P, class T>
  u32 add(P& pool, const T& value, const char* what, Span where) {
    if (pool.full()) {
      report_full(what, P::capacity(), where);
      return pool.size() - 1;
    }
    return pool.push(value);
  }
  void report_full(const char* what, u64 capacity, Span where) {
    if (cursor.abandoned()) return;
    error(where, "more than %llu %s; the model is too large", wide(capacity), what);
    cursor.abandon();
  }
};

// One level of nesting; ok() is false, and said so, when there are too many.
class Nesting {
 public:
  template <class Cursor>
  Nesting(Parsing<Cursor>& parsing, u32& count, u32 limit, const char* what,
          const char* them = "them")
      : count_(count), ok_(count < limit) {
    ++count_;
    if (ok_ || !parsing.cursor.syntax_error()) return;
    parsing.error(parsing.cursor.here(), "%s nested deeper than %u levels; split %s", what,
                  static_cast<unsigned>(limit), them);
  }
  ~Nesting() { --count_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;
  bool ok() const { return ok_; }

 private:
  u32& count_;
  bool ok_;
};

// A value for the time that this lives.
template <class T>
class Within {
 public:
  Within(T& variable, T value) : variable_(variable), before_(variable) { variable = value; }
  ~Within() { variable_ = before_; }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

 private:
  T& variable_;
  T before_;
};

}  // namespace xmc
