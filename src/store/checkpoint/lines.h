// Lines: the lines of a checkpoint, said once. A structure has one function
//
//   void lines(Lines& io) {
//     io.version("walk", 1);
//     io.number("walk-depth", depth);
//     io.row("walk-place", first, second, closed);
//   }
//
// which fills a manifest, or takes the same lines out of one and checks them: so what is written
// and what is read cannot differ in names, in order or in number.
//
// The first failure stays, and nothing behind it has an effect: a function of lines has no branches
// for errors, and who calls it asks for status() before values are used.
#pragma once

#include <span>
#include <type_traits>

#include "store/checkpoint/manifest.h"
#include "xmc/status.h"
#include "xmc/types.h"

namespace xmc {

// What a checkpoint knows of a file: its size, and the chain of its blocks or its checksum.
struct FileMark {
  u64 bytes = 0;
  u64 chain = 0;
};

class Lines {
 public:
  static Lines into(Manifest& manifest) { return Lines(&manifest, manifest); }
  static Lines of(const Manifest& manifest) { return Lines(nullptr, manifest); }

  bool reads() const { return into_ == nullptr; }
  [[nodiscard]] const Status& status() const { return status_; }
  // Fails with `status`, unless that is ok or something has failed before.
  void need(const Status& status);

  // Lines that changed their meaning have a version: "NAME-version 2". Where it is missing it is 1,
  // so that files of the first version go on; a newer one than `newest` is refused.
  void version(const char* name, u64 newest);

  // A number, a flag or a value of an enum, as a decimal number.
  template <class T>
  void number(const char* name, T& value) {
    u64 as_number = static_cast<u64>(value);
    line(name, as_number);
    take(name, as_number, value);
  }
  // The same for a line that older files do not have: then the value stays as it is.
  template <class T>
  void number_if_there(const char* name, T& value) {
    if (there(name, true)) number(name, value);
  }
  // A value of an enum from `first` to `last`.
  template <class T>
  void choice(const char* name, T& value, T first, T last) {
    u64 as_number = static_cast<u64>(value);
    line(name, as_number);
    refuse_outside(as_number, static_cast<u64>(first), static_cast<u64>(last));
    take(name, as_number, value);
  }
  // "name 1", or no line.
  void mark(const char* name, bool& value);
  // Several words in hex in one line.
  void words(const char* name, std::span<Word> values);
  // The same for values of several types.
  template <class... T>
  void row(const char* name, T&... values) {
    Word line_of[] = {static_cast<Word>(values)...};
    words(name, line_of);
    u32 i = 0;
    (take(name, line_of[i++], values), ...);
  }
  // A file of blocks; a plain one. Reading does not ask which it is.
  void file(const char* name, FileMark& mark);
  void plain(const char* name, FileMark& mark);

  // A figure for people, and for whoever looks at a manifest from outside: it is not read.
  void shown(const char* name, u64 value);

  // Whether the line is there: to be written if it is `wanted`, to be read if the manifest has it.
  bool there(const char* name, bool wanted) const;
  bool file_there(const char* name, bool wanted) const;
  // Of choice(), for a value that is checked otherwise.
  void refuse_outside(u64 value, u64 least, u64 most);

 private:
  Lines(Manifest* into, const Manifest& from) : into_(into), from_(&from) {}

  void line(const char* name, u64& value);
  void read_file(const char* name, FileMark& mark);
  template <class T>
  void take(const char* name, u64 number, T& value) {
    if (!reads() || !status_.ok()) return;
    if constexpr (std::is_same_v<T, bool>) {
      value = number != 0;
    } else {
      value = static_cast<T>(number);
      if (static_cast<u64>(value) != number) need(damaged_line(name));
    }
  }

  Manifest* into_ = nullptr;
  const Manifest* from_ = nullptr;
  Status status_;
};

}  // namespace xmc
