#include "store/checkpoint/lines.h"

#include "xmc/text.h"

namespace xmc {

void Lines::need(const Status& status) {
  if (status_.ok()) status_ = status;
}

void Lines::version(const char* name, u64 newest) {
  FixedText<64> line_name;
  line_name.add(name).add("-version");
  u64 found = newest;
  if (!there(line_name.c_str(), newest > 1)) return;
  line(line_name.c_str(), found);
  if (found >= 1 && found <= newest) return;
  need(Status::fail(Code::unsupported,
                    "the checkpoint has lines of '%s' in version %llu, and this program reads none "
                    "over %llu: go on with the program that left them, or with a newer one",
                    name, wide(found), wide(newest)));
}

void Lines::line(const char* name, u64& value) {
  if (!status_.ok()) return;
  if (!reads()) {
    into_->add(name, value);
    return;
  }
  const Result<u64> number = from_->number(name);
  number.ok() ? static_cast<void>(value = number.value()) : need(number.status());
}

void Lines::refuse_outside(u64 value, u64 least, u64 most) {
  if (value >= least && value <= most) return;
  need(Status::fail(Code::corrupt, "the checkpoint is of a search that does not exist"));
}

void Lines::mark(const char* name, bool& value) {
  value = there(name, value);
  if (value) number(name, value);
}

void Lines::words(const char* name, std::span<Word> values) {
  if (!status_.ok()) return;
  reads() ? need(from_->words(name, values)) : into_->add_words(name, values);
}

void Lines::file(const char* name, FileMark& mark) {
  if (reads()) return read_file(name, mark);
  if (status_.ok()) into_->add_file(name, mark.bytes, mark.chain);
}

void Lines::plain(const char* name, FileMark& mark) {
  if (reads()) return read_file(name, mark);
  if (status_.ok()) into_->add_plain(name, mark.bytes, mark.chain);
}

void Lines::read_file(const char* name, FileMark& mark) {
  if (!status_.ok()) return;
  Manifest::File entry;
  for (u32 i = 0; from_->file(i, entry); ++i) {
    if (entry.name != name) continue;
    mark = {entry.bytes, entry.chain};
    return;
  }
  need(Status::fail(Code::corrupt, "the checkpoint does not know the file '%s'", name));
}

void Lines::shown(const char* name, u64 value) {
  if (!reads() && status_.ok()) into_->add(name, value);
}

bool Lines::there(const char* name, bool wanted) const {
  return reads() ? status_.ok() && from_->has(name) : wanted;
}

bool Lines::file_there(const char* name, bool wanted) const {
  if (!reads()) return wanted;
  Manifest::File entry;
  for (u32 i = 0; from_->file(i, entry); ++i) {
    if (entry.name == name) return true;
  }
  return false;
}

}  // namespace xmc
