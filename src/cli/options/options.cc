#include "cli/options/options.h"

#include "cli/options/option_words.h"
#include "cli/options/suggest.h"
#include "cli/options/units.h"
#include "platform/files.h"
#include "xmc/check.h"
#include "xmc/text.h"

namespace xmc {

namespace {

bool is_choice(std::string_view choices, std::string_view word) {
  bool found = false;
  each_choice(choices, [&](std::string_view choice) { found = found || choice == word; });
  return found;
}

Result<u64> parse_number(const OptionInfo& info, std::string_view value) {
  switch (info.kind) {
    case OptionKind::size:
      return parse_size(info.name, value);
    case OptionKind::duration:
      return parse_duration(info.name, value);
    case OptionKind::clock:
      return parse_clock(info.name, value);
    case OptionKind::decimal:
      return parse_decimal(info.name, value);
    default:
      return parse_count(info.name, value);
  }
}

bool is_numeric(OptionKind kind) {
  return kind == OptionKind::number || kind == OptionKind::size || kind == OptionKind::duration ||
         kind == OptionKind::clock || kind == OptionKind::decimal;
}

Status out_of_range(const OptionInfo& info, std::string_view value, u64 number) {
  const unsigned long long low = info.low;
  const unsigned long long high = info.high;
  const char* const unit = info.kind == OptionKind::size       ? " bytes"
                           : info.kind == OptionKind::duration ? " s"
                           : info.kind == OptionKind::when     ? " s"
                                                               : "";
  if (number < info.low && info.kind == OptionKind::size) {
    return Status::fail(Code::usage, "--%s %.*s is too small: the minimum is %lluM (%llu bytes)",
                        info.name.data(), shown(value), value.data(), low >> 20, low);
  }
  if (number < info.low) {
    return Status::fail(Code::usage, "--%s %.*s is too small: the minimum is %llu%s",
                        info.name.data(), shown(value), value.data(), low, unit);
  }
  return Status::fail(Code::usage, "--%s %.*s is too large: the maximum is %llu%s",
                      info.name.data(), shown(value), value.data(), high, unit);
}

}  // namespace

Status Options::set(Opt option, std::string_view value) {
  const OptionInfo& info = info_of(option);
  OptionValue& slot = value_[static_cast<u32>(option)];
  XMC_TRY(replace(option));
  if (value.empty() && info.kind != OptionKind::flag) {
    return Status::fail(Code::usage, "--%s needs a value: %s", info.name.data(),
                        info.metavar.data());
  }
  if (info.kind == OptionKind::choice && !is_choice(info.metavar, value)) {
    return Status::fail(Code::usage, "--%s: '%.*s' is not one of %s%s", info.name.data(),
                        shown(value), value.data(), info.metavar.data(),
                        Hint(nearest_word(info, value)).c_str());
  }
  if (info.kind == OptionKind::engine) XMC_TRY(check_engine_name(info, value));
  if (info.kind == OptionKind::language) XMC_TRY(check_language_name(info, value));
  if (info.kind == OptionKind::when && !is_choice(info.metavar, value)) {
    const Result<u64> number = parse_duration(info.name, value);
    if (!number.ok() || number.value() == 0) {
      return Status::fail(Code::usage,
                          "--%s: '%.*s' is neither of %s, with DUR as 90s, 30m or 2h%s",
                          info.name.data(), shown(value), value.data(), info.metavar.data(),
                          Hint(nearest_word(info, value)).c_str());
    }
    if (number.value() > info.high) return out_of_range(info, value, number.value());
    slot.number = number.value();
  }
  if (is_numeric(info.kind)) {
    XMC_LET(const u64 number, parse_number(info, value));
    if (number < info.low || number > info.high) return out_of_range(info, value, number);
    slot.number = number;
  }
  if (info.kind == OptionKind::paths) {
    if (trace_count_ == kTraceFiles) {
      return Status::fail(Code::usage, "--%s: more than %u files", info.name.data(), kTraceFiles);
    }
    traces_[trace_count_++] = value;
  }
  if (info.kind == OptionKind::names) {
    if (definition_count_ == kDefinitions) {
      return Status::fail(Code::usage, "--%s: more than %u of them", info.name.data(),
                          kDefinitions);
    }
    definitions_[definition_count_++] = value;
  }
  slot.given = true;
  slot.from_file = in_file_;
  slot.text = value;
  return {};
}

void Options::reset(Opt option) {
  const OptionInfo& info = info_of(option);
  OptionValue& slot = value_[static_cast<u32>(option)];
  slot = {};
  slot.text = info.standard;
  if (!is_numeric(info.kind) || info.standard.empty()) return;
  const Result<u64> number = parse_number(info, info.standard);
  XMC_CHECK(number.ok());
  slot.number = number.value();
}

Status Options::unknown(std::string_view name, bool letter) const {
  if (letter)
    return Status::fail(Code::usage, "unknown option -%.*s; see --help", shown(name), name.data());
  Suggestion suggestion(name);
  for (const OptionInfo& info : option_table()) {
    if (info.used_by(command_)) suggestion.offer(info.name);
  }
  if (suggestion.best().empty()) {
    return Status::fail(Code::usage, "unknown option --%.*s; see --help", shown(name), name.data());
  }
  return Status::fail(Code::usage, "unknown option --%.*s; did you mean --%s?", shown(name),
                      name.data(), suggestion.best().data());
}

Status Options::take_option(std::string_view name, bool letter, bool has_value,
                            std::string_view value) {
  for (u32 i = 0; i < kOptions; ++i) {
    const OptionInfo& info = option_table()[i];
    if (letter ? (name.size() != 1 || info.letter != name[0]) : info.name != name) continue;
    const Opt option = static_cast<Opt>(i);
    const bool talks = option == Opt::progress || option == Opt::every;
    if (in_board_ && (!info.used_by(command_) || given(option) || (talks && given(Opt::quiet)))) {
      return {};
    }
    if (!info.used_by(command_)) {
      return Status::fail(Code::usage, "%s does not take --%s; see %s --help",
                          info_of(command_).name.data(), info.name.data(),
                          info_of(command_).name.data());
    }
    if (info.kind == OptionKind::flag) {
      if (has_value) return Status::fail(Code::usage, "--%s takes no value", info.name.data());
      return set(option, {});
    }
    if (has_value) return set(option, value);
    pending_ = option;
    has_pending_ = true;
    return {};
  }
  return unknown(name, letter);
}

Status Options::take_operand(std::string_view argument) {
  const CommandInfo& info = info_of(command_);
  if (info.operand.empty()) {
    return Status::fail(Code::usage, "%s takes no argument, but '%.*s' is given", info.name.data(),
                        shown(argument), argument.data());
  }
  const bool takes_two = info.operand.find(" [") != std::string_view::npos;
  if (!operand_.empty() && takes_two && second_operand_.empty() && !argument.empty()) {
    second_operand_ = argument;
    return {};
  }
  if (!operand_.empty()) {
    return Status::fail(Code::usage, "%s takes one %s, but '%.*s' is given after '%.*s'",
                        info.name.data(), info.operand.data(), shown(argument), argument.data(),
                        shown(operand_), operand_.data());
  }
  if (argument.empty()) return Status::fail(Code::usage, "the %s is empty", info.operand.data());
  operand_ = argument;
  return {};
}

Status Options::take(std::string_view argument) {
  if (has_pending_) {
    const OptionInfo& info = info_of(pending_);
    if (argument.starts_with("--")) {
      return Status::fail(Code::usage,
                          "--%s needs a value, but is followed by %.*s; a value that begins so is "
                          "given with --%s=VALUE",
                          info.name.data(), shown(argument), argument.data(), info.name.data());
    }
    has_pending_ = false;
    return set(pending_, argument);
  }
  if (only_operands_) return take_operand(argument);
  if (argument == "--") {
    only_operands_ = true;
    return {};
  }
  if (argument.starts_with("--")) {
    const std::string_view body = piece_of(argument, 2);
    const std::size_t equals = body.find('=');
    const bool has_value = equals != std::string_view::npos;
    return take_option(piece_of(body, 0, equals), false, has_value,
                       has_value ? piece_of(body, equals + 1) : piece_of(body, 0, 0));
  }
  if (argument.size() > 1 && argument[0] == '-')
    return take_option(piece_of(argument, 1), true, false, {});
  if (argument.size() > 1 && argument[0] == '@') return take_argument_file(argument.data() + 1);
  return take_operand(argument);
}

Status Options::parse(std::span<char* const> arguments, bool operand_needed) {
  for (u32 i = 0; i < kOptions; ++i) reset(static_cast<Opt>(i));
  std::size_t first = 0;
  for (u32 i = 0; !arguments.empty() && i < kCommands; ++i) {
    if (kCommandTable[i].name != arguments[0]) continue;
    command_ = static_cast<Command>(i);
    first = 1;
  }
  if (!arguments.empty() && first == 0) XMC_TRY(check_first_word(arguments[0]));
  for (std::size_t i = first; i < arguments.size(); ++i) {
    XMC_TRY(take(arguments[i]));
    // Help is for people who do not know the rest yet.
    if (given(Opt::help))
      help_all_ = i + 1 < arguments.size() && std::string_view(arguments[i + 1]) == "all";
    if (given(Opt::help) || given(Opt::version)) return {};
  }
  return finish(operand_needed);
}

// Without a command the first word may be the model. A model of this name goes first.
Status Options::check_first_word(const char* word) {
  if (word[0] == '-' || word[0] == '@') return {};
  const std::string_view command = nearest_command(word);
  if (command.empty() || file_exists(word)) return {};
  return Status::fail(Code::usage, "there is no command '%.60s'; did you mean '%s'?", word,
                      command.data());
}

Status Options::finish(bool operand_needed) {
  if (has_pending_) {
    const OptionInfo& info = info_of(pending_);
    return Status::fail(Code::usage, "--%s needs a value: %s", info.name.data(),
                        info.metavar.data());
  }
  const CommandInfo& info = info_of(command_);
  const bool is_model = info.operand == "MODEL";
  const bool optional =
      info.operand.empty() || info.operand[0] == '[' || (is_model && !operand_needed);
  XMC_TRY(take_board());
  if (operand_.empty() && !optional) return missing_operand();
  if (!operand_.empty() && is_model && !operand_needed) {
    return Status::fail(Code::usage,
                        "this checker has its model inside and takes no MODEL ('%.*s')",
                        shown(operand_), operand_.data());
  }
  return check_combinations();
}

Status Options::check_combinations() const {
  for (const Opt a : kGoals) {
    for (const Opt b : kGoals) {
      if (command_ == Command::ltl || a >= b || !given(a) || !given(b)) continue;
      return Status::fail(Code::usage, "--%s and --%s cannot be checked in one run",
                          info_of(a).name.data(), info_of(b).name.data());
    }
  }
  if (given(Opt::quiet) && given(Opt::verbose))
    return Status::fail(Code::usage, "--quiet and --verbose exclude each other");
  const bool silent = given(Opt::quiet) || text(Opt::progress) == "none";
  if (silent && given(Opt::every)) {
    return Status::fail(Code::usage, "--every has no effect with %s",
                        given(Opt::quiet) ? "--quiet" : "--progress none");
  }
  if (given(Opt::quiet) && given(Opt::progress) && text(Opt::progress) != "none") {
    return Status::fail(Code::usage, "--progress has no effect with --quiet");
  }
  if (given(Opt::signature) && given(Opt::minimal)) {
    return Status::fail(Code::usage,
                        "--signature may leave states out: nothing is --minimal with it");
  }
  for (const Opt of_network : {Opt::bandwidth, Opt::latency}) {
    if (!given(of_network) || given(Opt::peers)) continue;
    return Status::fail(Code::usage, "--%s has no effect without --peers",
                        info_of(of_network).name.data());
  }
  if (given(Opt::script) && given(Opt::seed))
    return Status::fail(Code::usage, "--seed has no effect with --script");
  const Opt texts[] = {Opt::man, Opt::bash, Opt::zsh, Opt::fish};
  for (const Opt a : texts) {
    for (const Opt b : texts) {
      if (a >= b || !given(a) || !given(b)) continue;
      return Status::fail(Code::usage, "--%s and --%s exclude each other", info_of(a).name.data(),
                          info_of(b).name.data());
    }
  }
  return check_engine_options();
}

// What the engine would not look at is a misunderstanding.
Status Options::check_engine_options() const {
  constexpr struct {
    Opt option;
    const char* engines;
    const char* in_words;
  } kOnlyFor[] = {
      {Opt::collisions, "cached|serial", "cached or serial"},
      {Opt::partial, "dddd", "dddd"},
      {Opt::training, "dddd", "dddd"},
      {Opt::strategy, "symbolic", "symbolic"},
      {Opt::method, "min-cex", "min-cex"},
      {Opt::edges, "trim|min-cex|double-dfs|iddfs", "trim, min-cex, double-dfs or iddfs"},
      {Opt::index, "double-dfs|iddfs|min-cex", "double-dfs, iddfs or min-cex"},
      {Opt::phf, "double-dfs|iddfs|min-cex", "double-dfs, iddfs or min-cex"},
      {Opt::phf_codec, "double-dfs|iddfs|min-cex", "double-dfs, iddfs or min-cex"},
      {Opt::phf_cache, "double-dfs|iddfs|min-cex", "double-dfs, iddfs or min-cex"},
      {Opt::dd, "ioemc", "ioemc"},
      {Opt::rho1, "ioemc", "ioemc"},
      {Opt::rho2, "ioemc", "ioemc"}};
  for (const auto& only : kOnlyFor) {
    const std::string_view engine = text(Opt::engine);
    if (!given(only.option) || is_choice(only.engines, engine)) continue;
    return Status::fail(Code::usage, "--%s has no effect with engine %.*s; it is for --engine %s",
                        info_of(only.option).name.data(), shown(engine), engine.data(),
                        only.in_words);
  }
  return check_edge_options();
}

// Which searches can do with edges, and which without.
Status Options::check_edge_options() const {
  const std::string_view engine = text(Opt::engine);
  const std::string_view edges = text(Opt::edges);
  const bool numbers =
      given(Opt::index) || given(Opt::phf) || given(Opt::phf_codec) || given(Opt::phf_cache);
  if (edges == "off" && engine == "trim") {
    return Status::fail(Code::usage,
                        "engine trim works on edges; use another one with --edges off");
  }
  if (edges == "off" && given(Opt::method) && text(Opt::method) == "prefix-core") {
    return Status::fail(Code::usage, "--method prefix-core works on edges");
  }
  if (edges != "on") return {};
  if (engine == "iddfs") return Status::fail(Code::usage, "engine iddfs does not use edges");
  if (text(Opt::method) == "gastin-moro") {
    return Status::fail(Code::usage, "--method gastin-moro does not use edges");
  }
  if (numbers) {
    return Status::fail(Code::usage,
                        "with --edges on the edges tell the numbers of states: there is no index");
  }
  return {};
}

void Options::echo(JsonWriter& json) const {
  // A resumed check is a check: it shows what came from the work directory, too.
  const Command shown_for = command_ == Command::resume ? Command::check : command_;
  for (u32 i = 0; i < kOptions; ++i) {
    const OptionInfo& info = option_table()[i];
    const OptionValue& slot = value_[i];
    if (!info.used_by(shown_for) || info.group == OptionGroup::general) continue;
    json.key(info.name);
    if (info.kind == OptionKind::flag) {
      json.boolean(slot.given);
    } else if (may_repeat(info.kind)) {
      json.begin_array();
      for (const std::string_view value : list(static_cast<Opt>(i))) json.string(value);
      json.end_array();
    } else if (!slot.given && info.standard.empty()) {
      json.null();
    } else if (is_numeric(info.kind)) {
      json.number(slot.number);
    } else {
      json.string(slot.text);
    }
  }
}

}  // namespace xmc
