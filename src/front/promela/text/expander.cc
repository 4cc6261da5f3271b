#include "front/promela/text/expander.h"

#include "xmc/check.h"
#include "xmc/limits.h"
#include "xmc/text.h"

namespace xmc::promela {

namespace {

bool is_mark(const RawToken& token, std::string_view mark) {
  return token.kind == Raw::mark && token.text == mark;
}

}  // namespace

Expander::Expander(Arena& arena, Diagnostics& diagnostics, Macros& macros)
    : arena_(arena),
      diagnostics_(diagnostics),
      macros_(macros),
      lists_(arena, "macro lists"),
      results_(arena, "macro results"),
      frames_(arena, "macros being expanded") {}

void Expander::give_up(Span place, const char* what, u64 limit) {
  if (abandoned_) return;
  abandoned_ = true;
  diagnostics_.error(place.begin, place.end, "more than %llu %s; simplify the macros", wide(limit),
                     what);
}

void Expander::push(const RawToken& token) {
  if (lists_.full()) return give_up(token.place, "tokens in macros at a time", lists_.capacity());
  lists_.push(token);
}

bool Expander::is_idle() {
  while (frames_.size() > base_ &&
         frames_[frames_.size() - 1].at == frames_[frames_.size() - 1].end) {
    const u32 macro = frames_[frames_.size() - 1].macro;
    if (macro != kNone) --macros_[macro].in_use;
    frames_.cut(frames_.size() - 1);
  }
  return frames_.size() == base_;
}

RawToken Expander::take() {
  if (abandoned_) return {};
  if (!is_idle()) return lists_[frames_[frames_.size() - 1].at++];
  return file_ != nullptr ? file_->next() : RawToken{};
}

RawToken Expander::peek() const {
  for (u32 i = frames_.size(); i > base_; --i) {
    const Frame& frame = frames_[i - 1];
    if (frame.at != frame.end) return lists_[frame.at];
  }
  return file_ != nullptr ? file_->quiet().next() : RawToken{};
}

RawToken Expander::next() {
  for (;;) {
    RawToken token = take();
    if (token.kind == Raw::name && !token.is_fixed) {
      const u32 macro = macros_.find(token.text);
      if (macro != kNone && macros_[macro].in_use > 0) {
        token.is_fixed = true;
      } else if (macro != kNone && start(token, macro)) {
        continue;
      }
    }
    if (line_begins_) token.is_first = true;
    line_begins_ = false;
    return token;
  }
}

// Opens the macro's text in front of the rest; false when the name is just a name here.
bool Expander::start(const RawToken& name, u32 macro) {
  if (macros_[macro].is_function && !is_mark(peek(), "(")) return false;
  if (++expansions_ > limits::kMacroExpansions) {
    give_up(name.place, "expansions of macros", limits::kMacroExpansions);
    return true;
  }
  RawList raw[kArguments];
  RawList expanded[kArguments];
  if (macros_[macro].is_function) {
    if (!take_arguments(name, macro, raw)) return true;
    expand_arguments(macros_[macro], raw, expanded);
  }
  const RawList text = substitute(name, macros_[macro], raw, expanded);
  if (text.count == 0) {
    line_begins_ = line_begins_ || name.is_first;
    return true;
  }
  if (frames_.full()) {
    give_up(name.place, "macros inside one another", frames_.capacity());
    return true;
  }
  ++macros_[macro].in_use;
  frames_.push({text.first, text.first + text.count, macro});
  return true;
}

// Behind a '(': lists up to its ')'.
bool Expander::take_argument_list(const RawToken& name, RawList* arguments, u32& count) {
  u32 parens = 0;
  RawList current{lists_.size(), 0};
  for (count = 0;;) {
    RawToken token = take();
    if (token.kind == Raw::end) {
      if (!abandoned_) {
        diagnostics_.error(name.place.begin, name.place.end,
                           "the arguments of macro '%.*s' have no end", shown_bytes(name.text),
                           name.text.data());
      }
      return false;
    }
    const bool closes = parens == 0 && is_mark(token, ")");
    if (closes || (parens == 0 && is_mark(token, ","))) {
      if (count < kArguments) arguments[count] = current;
      ++count;
      if (closes) return true;
      current = {lists_.size(), 0};
      continue;
    }
    if (is_mark(token, "(")) ++parens;
    if (is_mark(token, ")")) --parens;
    token.has_blank = token.has_blank || token.is_first;
    token.is_first = false;
    push(token);
    current.count = lists_.size() - current.first;
  }
}

bool Expander::take_arguments(const RawToken& name, u32 macro, RawList* arguments) {
  take();
  u32 count = 0;
  if (!take_argument_list(name, arguments, count)) return false;
  const u32 wanted = macros_[macro].parameter_count;
  if (wanted == 0 && count == 1 && arguments[0].count == 0) count = 0;
  if (count == wanted) return true;
  diagnostics_.error(name.place.begin, name.place.end,
                     "macro '%.*s' has %u parameter%s and gets %u", shown_bytes(name.text),
                     name.text.data(), static_cast<unsigned>(wanted), wanted == 1 ? "" : "s",
                     static_cast<unsigned>(count));
  return false;
}

// Whether this token of a macro's text is taken as it is written: beside '##' or behind '#'.
bool Expander::is_pasted(const Macro& macro, u32 index) const {
  const auto is = [&](u32 at, std::string_view mark) {
    return is_mark(macros_.texts[macro.first + at], mark);
  };
  if (index > 0 && (is(index - 1, "##") || is(index - 1, "#"))) return true;
  return index + 1 < macro.count && is(index + 1, "##");
}

void Expander::expand_arguments(const Macro& macro, const RawList* raw, RawList* expanded) {
  bool done[kArguments] = {};
  for (u32 i = 0; i < macro.count; ++i) {
    const RawToken& token = macros_.texts[macro.first + i];
    const u32 parameter = token.kind == Raw::name ? macros_.parameter(macro, token.text) : kNone;
    if (parameter == kNone || done[parameter] || is_pasted(macro, i)) continue;
    done[parameter] = true;
    expanded[parameter] = expand(raw[parameter]);
  }
}

RawList Expander::expand(RawList list) {
  if (depth_ >= limits::kMacroDepth) {
    const Span place = list.count > 0 ? lists_[list.first].place : Span{};
    give_up(place, "macros in the arguments of one another", limits::kMacroDepth);
  }
  if (abandoned_ || list.count == 0) return {};
  RawLexer* const file = file_;
  const u32 base = base_;
  const u32 results = results_.size();
  const bool line_begins = line_begins_;
  is_idle();
  file_ = nullptr;
  base_ = frames_.size();
  line_begins_ = false;
  ++depth_;
  frames_.push({list.first, list.first + list.count, kNone});
  for (RawToken token = next(); token.kind != Raw::end; token = next()) {
    if (results_.full()) give_up(token.place, "tokens in macros at a time", results_.capacity());
    if (abandoned_) break;
    results_.push(token);
  }
  --depth_;
  file_ = file;
  base_ = base;
  line_begins_ = line_begins;
  RawList out{lists_.size(), 0};
  for (u32 i = results; i < results_.size(); ++i) push(results_[i]);
  out.count = lists_.size() - out.first;
  results_.cut(results);
  return out;
}

// One token of the text that a macro stands for.
void Expander::append(RawToken token, const RawToken& name, bool pasted, u32 begin) {
  if (pasted && lists_.size() > begin) {
    const RawToken left = lists_[lists_.size() - 1];
    lists_.cut(lists_.size() - 1);
    token = paste(left, token);
  }
  token.is_first = lists_.size() == begin && name.is_first;
  if (lists_.size() == begin) token.has_blank = name.has_blank;
  push(token);
}

RawList Expander::substitute(const RawToken& name, const Macro& macro, const RawList* raw,
                             const RawList* expanded) {
  const u32 begin = lists_.size();
  bool pasted = false;
  for (u32 i = 0; i < macro.count; ++i) {
    RawToken token = macros_.texts[macro.first + i];
    token.place = name.place;
    if (is_mark(token, "##")) {
      pasted = true;
      continue;
    }
    const bool quotes = macro.is_function && is_mark(token, "#") && i + 1 < macro.count;
    const RawToken& named = quotes ? macros_.texts[macro.first + i + 1] : token;
    const u32 parameter = named.kind == Raw::name ? macros_.parameter(macro, named.text) : kNone;
    if (parameter == kNone) {
      append(token, name, pasted, begin);
    } else if (quotes) {
      append(quote(raw[parameter], name.place), name, pasted, begin);
      ++i;
    } else {
      const RawList list = is_pasted(macro, i) ? raw[parameter] : expanded[parameter];
      for (u32 j = 0; j < list.count; ++j) {
        const RawToken part = lists_[list.first + j];
        append(part, name, pasted && j == 0, begin);
      }
    }
    pasted = false;
  }
  return {begin, lists_.size() - begin};
}

RawToken Expander::paste(const RawToken& left, const RawToken& right) {
  const u64 size = left.text.size() + right.text.size();
  char* const bytes = static_cast<char*>(arena_.scratch("pasted names", size, 1));
  u32 at = 0;
  for (const char c : left.text) bytes[at++] = c;
  for (const char c : right.text) bytes[at++] = c;
  RawToken out = left;
  out.text = {bytes, static_cast<std::size_t>(size)};
  out.is_fixed = false;
  const char first = out.text[0];
  if (is_name(out.text)) {
    out.kind = Raw::name;
  } else if (first >= '0' && first <= '9') {
    out.kind = Raw::number;
  } else if (mark_length(out.text) == size) {
    out.kind = Raw::mark;
  } else {
    diagnostics_.error(left.place.begin, left.place.end,
                       "'##' makes '%.*s' here, which is no token", shown_bytes(out.text),
                       out.text.data());
  }
  return out;
}

RawToken Expander::quote(RawList list, Span place) {
  u64 size = 2;
  for (u32 i = 0; i < list.count; ++i) size += 1 + 2 * lists_[list.first + i].text.size();
  char* const bytes = static_cast<char*>(arena_.scratch("quoted arguments", size, 1));
  u32 at = 0;
  bytes[at++] = '"';
  for (u32 i = 0; i < list.count; ++i) {
    const RawToken& token = lists_[list.first + i];
    if (i > 0 && token.has_blank) bytes[at++] = ' ';
    for (const char c : token.text) {
      if (c == '"' || c == '\\') bytes[at++] = '\\';
      bytes[at++] = c;
    }
  }
  bytes[at++] = '"';
  RawToken out;
  out.kind = Raw::string;
  out.text = {bytes, at};
  out.place = place;
  return out;
}

}  // namespace xmc::promela
