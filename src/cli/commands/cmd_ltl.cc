// `ltl`: makes the automaton of a formula, or reads one, and writes it in any of the formats. No
// model is read.
#include "cli/commands/commands.h"
#include "cli/run/budget.h"
#include "cli/run/input/model_input.h"
#include "ltl/formats/write.h"

namespace xmc {

namespace {

void on_diagnostic(void* self, std::string_view text) {
  static_cast<Session*>(self)->err().add(text);
}

// One of the three, and nothing that goes with another.
Status check_input(const Options& options) {
  const bool hoa = options.given(Opt::hoa);
  const bool never = options.given(Opt::never);
  const bool formula = !options.operand().empty();
  if (!hoa && !never && !formula) {
    return Status::fail(Code::usage, "ltl needs a FORMULA, --hoa FILE or --never FILE");
  }
  if ((hoa && never) || (formula && (hoa || never))) {
    return Status::fail(Code::usage, "ltl takes one FORMULA, --hoa FILE or --never FILE");
  }
  if (!formula && options.given(Opt::negate)) {
    return Status::fail(Code::usage, "--negate is for a FORMULA: automata are not complemented");
  }
  return {};
}

// The automaton of the input; what is wrong with its text is shown with the place.
Status make(Session& session, Arena& arena, ltl::Automaton& out, std::string_view& name) {
  const Options& options = session.options;
  PropertyText property{PropertyForm::ltl, {"formula", options.operand()}};
  ModelInput input;
  if (options.operand().empty()) {
    const bool hoa = options.given(Opt::hoa);
    XMC_TRY(read_model_file(options.c_str(hoa ? Opt::hoa : Opt::never), arena, input));
    property = {hoa ? PropertyForm::hoa : PropertyForm::never, {input.file, input.text}};
  }
  name = options.operand().empty() ? input.file : options.operand();
  return make_automaton(property, options.given(Opt::negate), &on_diagnostic, &session, arena, out);
}

Status write(const ltl::Automaton& automaton, std::string_view name, bool negated,
             std::string_view format, Output& out) {
  // A file's name and a formula are as long as they are: what does not fit here is cut.
  FixedText<1024> title;
  title.add(negated ? "!(" : "").add(name).add(negated ? ")" : "");
  const ltl::Sink sink{&out, &Output::write_piece};
  if (format == "never") return ltl::write_never(automaton, title.view(), sink);
  if (format == "dot") return ltl::write_dot(automaton, title.view(), sink);
  return ltl::write_hoa(automaton, title.view(), sink);
}

Status convert(Session& session, Budget& budget) {
  const Options& options = session.options;
  XMC_TRY(check_input(options));
  XMC_TRY(budget.open(session));
  ltl::Automaton automaton;
  std::string_view name;
  XMC_TRY(make(session, budget.arena(), automaton, name));
  const bool negated = options.given(Opt::negate);
  if (options.text(Opt::output) == "-") {
    session.out().escape_controls(false);  // for a program
    return write(automaton, name, negated, options.text(Opt::to), session.out());
  }
  OutputFile file;
  XMC_TRY(file.open_beside(options.c_str(Opt::output)));
  FileOutput out(file);
  XMC_TRY(write(automaton, name, negated, options.text(Opt::to), out));
  XMC_TRY(out.flush());
  return file.close();
}

}  // namespace

int cmd_ltl(Session& session) {
  Budget budget;
  const Status status = convert(session, budget);
  return status.ok() ? session.end_well() : session.end_with(status);
}

}  // namespace xmc
