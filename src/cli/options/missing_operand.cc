// What to say when a command has no operand. A value that was forgotten is the common reason, and
// then the message names the option that took the operand.
#include "cli/options/options.h"
#include "platform/files.h"

namespace xmc {

// "xmc-lite --json m.dve": the value that an option should have had was forgotten, and the option
// took the operand for it.
Status Options::missing_operand() const {
  const CommandInfo& info = info_of(command_);
  for (u32 i = 0; i < kOptions; ++i) {
    const OptionInfo& option = option_table()[i];
    const bool is_path = option.kind == OptionKind::path || option.kind == OptionKind::paths;
    if (!is_path || !value_[i].given || !file_exists(value_[i].text.data())) continue;
    return Status::fail(Code::usage,
                        "%s needs a %s, and '%.100s' was taken for the %s of --%s; give both: "
                        "--%s %s %s",
                        info.name.data(), info.operand.data(), value_[i].text.data(),
                        option.metavar.data(), option.name.data(), option.name.data(),
                        option.metavar.data(), info.operand.data());
  }
  return Status::fail(Code::usage, "%s needs a %s; see --help", info.name.data(),
                      info.operand.data());
}

}  // namespace xmc
