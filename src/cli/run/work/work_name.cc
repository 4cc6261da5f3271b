#include "cli/run/work/work_name.h"

#include "lang/language.h"
#include "xmc/hash.h"
#include "xmc/text.h"

namespace xmc {

namespace {

constexpr u32 kWordBytes = 24;  // of a property, to be in the name as it is

u64 hash_of(std::string_view text, u64 seed) {
  return hash_bytes({reinterpret_cast<const u8*>(text.data()), text.size()}, seed);
}

void add_hash(Text& out, u64 hash) { out.format("-%08llx", wide(hash & 0xffffffff)); }

bool is_plain(std::string_view word) {
  for (const char c : word) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && (c < '0' || c > '9') && c != '_') return false;
  }
  return !word.empty() && word.size() <= kWordBytes;
}

void add_model(Text& out, std::string_view file) {
  if (const std::size_t slash = file.rfind('/'); slash != std::string_view::npos) {
    file.remove_prefix(slash + 1);
  }
  // A name that is nothing but a suffix stays.
  if (const std::string_view bare = without_suffix(file); !bare.empty()) file = bare;
  std::size_t length = file.size();
  if (length > WorkName::kModelNameBytes) {
    length = WorkName::kModelNameBytes;
    // Not in the middle of a character.
    while (length > 1 && (static_cast<u8>(file[length]) & 0xc0) == 0x80) --length;
  }
  for (const char c : piece_of(file, 0, length)) {
    out.add(static_cast<u8>(c) < 0x20 || c == 0x7f ? '_' : c);
  }
  if (length < file.size()) add_hash(out, hash_of(file, 0));
}

// What is asked, and not how the answer is found.
bool is_of_question(Opt option) {
  if (option == Opt::full || option == Opt::minimal) return true;
  const bool how = option == Opt::reduce || option == Opt::symmetry || option == Opt::lang;
  return info_of(option).group == OptionGroup::checks && Options::is_of_run(option) && !how;
}

struct Question {
  u32 options = 0;
  Opt first = Opt::help;
  u64 hash = 0;

  void add(Opt option, std::string_view value) {
    if (options++ == 0) first = option;
    hash = hash_of(value, hash_of(info_of(option).name, hash));
  }
};

Question question_of(const Options& options) {
  Question question;
  for (u32 i = 0; i < kOptions; ++i) {
    const Opt option = static_cast<Opt>(i);
    const OptionInfo& info = info_of(option);
    if (!options.given_now(option) || !is_of_question(option)) continue;
    if (may_repeat(info.kind)) {
      for (const std::string_view value : options.list(option)) question.add(option, value);
    } else if (info.standard.empty() || options.text(option) != info.standard) {
      question.add(option, options.text(option));
    }
  }
  return question;
}

}  // namespace

void WorkName::choose(std::string_view model_file, const Options& options) {
  Text name(base_, sizeof base_);
  add_model(name, model_file);
  const Question question = question_of(options);
  if (question.options == 0) return;
  const OptionInfo& info = info_of(question.first);
  if (question.first != Opt::property || question.options > 1) name.add('-').add(info.name);
  const std::string_view value = options.text(question.first);
  const bool plain = info.kind == OptionKind::flag || is_plain(value);
  if (question.options > 1 || !plain) {
    add_hash(name, question.hash);
  } else if (info.kind != OptionKind::flag) {
    name.add('-').add(value);
  }
}

const char* WorkName::numbered(u32 number) {
  Text name(path_, sizeof path_);
  name.add(base_);
  if (number > 1) name.add('+').number(number);
  name.add(".xmc");
  return path_;
}

}  // namespace xmc
