#include "lang/language.h"

#include "lang/dve.h"
#include "lang/murphi.h"
#include "lang/promela.h"

namespace xmc {

namespace {

constexpr std::string_view kDveSuffixes[] = {".dve"};
constexpr std::string_view kMurphiSuffixes[] = {".m"};
constexpr std::string_view kPromelaSuffixes[] = {".pml"};

constexpr Language kLanguages[] = {
    {"dve", "DVE", kDveSuffixes, lower_dve_text},
    {"murphi", "Murphi", kMurphiSuffixes, lower_murphi_text},
    {"promela", "promela", kPromelaSuffixes, lower_promela_text, gather_promela_text},
};

// Of the language that `file` is in; empty if no suffix is one.
std::string_view suffix_of(std::string_view file, const Language*& found) {
  for (const Language& language : kLanguages) {
    for (const std::string_view suffix : language.suffixes) {
      if (!file.ends_with(suffix)) continue;
      found = &language;
      return suffix;
    }
  }
  found = nullptr;
  return {};
}

}  // namespace

std::span<const Language> languages() { return kLanguages; }

const Language* language_by_name(std::string_view name) {
  for (const Language& language : kLanguages) {
    if (language.name == name) return &language;
  }
  return nullptr;
}

const Language* language_by_suffix(std::string_view file) {
  const Language* found = nullptr;
  static_cast<void>(suffix_of(file, found));
  return found;
}

std::string_view without_suffix(std::string_view file) {
  const Language* found = nullptr;
  file.remove_suffix(suffix_of(file, found).size());
  return file;
}

}  // namespace xmc
