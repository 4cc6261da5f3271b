// What of the command line belongs to a run, and comes back when the run is resumed.
#include "cli/options/options.h"
#include "xmc/check.h"

namespace xmc {

bool Options::is_of_run(Opt option) {
  const OptionInfo& info = info_of(option);
  if (!info.used_by(Command::check) || info.group == OptionGroup::general) return false;
  return !info.used_by(Command::resume) && option != Opt::work;
}

bool Options::is_kept(Opt option) {
  const OptionInfo& info = info_of(option);
  const bool both = info.used_by(Command::check) && info.used_by(Command::resume);
  if (!both || info.group == OptionGroup::general) return false;
  return option != Opt::states && option != Opt::depth;
}

void Options::drop_outputs() {
  // Who writes the levels counts all states, and so do those that share the search.
  if (given(Opt::levels) && !given(Opt::reduce)) settle(Opt::reduce, "off");
  for (const Opt output : {Opt::json, Opt::levels, Opt::report, Opt::output, Opt::trace}) {
    reset(output);
  }
  trace_count_ = 0;
}

bool Options::gives_kept() const {
  for (u32 i = 0; i < kOptions; ++i) {
    if (is_kept(static_cast<Opt>(i)) && given_now(static_cast<Opt>(i))) return true;
  }
  return false;
}

Status Options::restore(std::string_view name, std::string_view value) {
  for (u32 i = 0; i < kOptions; ++i) {
    const Opt option = static_cast<Opt>(i);
    if (info_of(option).name != name || (!is_of_run(option) && !is_kept(option))) continue;
    OptionValue& slot = value_[i];
    // Of several files each is restored; one on the command line stands for all.
    const bool another = may_repeat(info_of(option).kind) && slot.restored;
    if (slot.given && !another) return {};
    // They exclude each other.
    if (option == Opt::quiet && given(Opt::verbose)) return {};
    if (option == Opt::verbose && given(Opt::quiet)) return {};
    XMC_TRY(set(option, value));
    slot.restored = true;
    return {};
  }
  const int length = static_cast<int>(name.size() < 60 ? name.size() : 60);
  return Status::fail(Code::usage, "this version does not know the option --%.*s of the run",
                      length, name.data());
}

void Options::settle(Opt option, std::string_view word) {
  XMC_CHECK(is_of_run(option));
  OptionValue& slot = value_[static_cast<u32>(option)];
  slot.given = true;
  slot.text = word;
}

void Options::restore_number(Opt option, u64 number) {
  OptionValue& slot = value_[static_cast<u32>(option)];
  const OptionKind kind = info_of(option).kind;
  XMC_CHECK(kind == OptionKind::number || kind == OptionKind::size);
  if (slot.given) return;
  slot.given = slot.restored = true;
  slot.text = {};
  slot.number = number;
}

}  // namespace xmc
