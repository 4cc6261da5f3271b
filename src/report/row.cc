#include "report/row.h"

#include <cstdarg>

namespace xmc {

// The word that was held back.
void Row::place() {
  if (word_.size() == 0) return;
  const u32 needed = word_.size() + (blank_ ? 1 : 0);
  if (blank_ && column_ > indent_ && column_ + needed > columns_) {
    out_->add('\n').spaces(indent_);
    column_ = indent_;
    blank_ = false;
  }
  if (blank_) out_->add(' ');
  out_->add(word_.view());
  column_ += word_.size() + (blank_ ? 1 : 0);
  blank_ = false;
  word_.clear();
}

Row& Row::add(std::string_view text) {
  while (!text.empty()) {
    const std::size_t blank = text.find_first_of(" \n");
    const std::string_view piece = piece_of(text, 0, blank);
    if (!piece.empty()) whole(piece);
    if (blank == std::string_view::npos) break;
    if (text[blank] == '\n') {
      end();
    } else {
      place();
      blank_ = column_ > indent_;
    }
    text.remove_prefix(blank + 1);
  }
  return *this;
}

Row& Row::format(const char* pattern, ...) {
  FixedText<512> text;
  va_list args;
  va_start(args, pattern);
  text.vformat(pattern, args);
  va_end(args);
  return add(text.view());
}

Row& Row::whole(std::string_view text) {
  if (word_.size() + text.size() > 500) {
    place();
    if (blank_) out_->add(' ');
    out_->add(text);  // longer than any terminal
    column_ += static_cast<u32>(text.size()) + (blank_ ? 1 : 0);
    blank_ = false;
    return *this;
  }
  word_.add(text);
  return *this;
}

Row& Row::raw(std::string_view text) {
  place();
  blank_ = false;
  out_->add(text);
  column_ += static_cast<u32>(text.size());
  return *this;
}

Row& Row::unseen(std::string_view bytes) {
  place();
  out_->control(bytes);
  return *this;
}

Row& Row::to(u32 column) {
  place();
  blank_ = false;
  const u32 blanks = column_ > column ? 2 : column - column_;
  out_->spaces(blanks);
  column_ += blanks;
  indent_ = column_;
  return *this;
}

void Row::end() {
  place();
  out_->add('\n');
  column_ = 0;
  blank_ = false;
}

u32 Row::column() {
  place();
  return column_;
}

}  // namespace xmc
