// `emit`: the text of a checker. Without --reduce it has the model as written, which serves every
// question; with it the code is of the reduced program.
#include "cli/commands/commands.h"
#include "cli/run/budget.h"
#include "cli/run/input/model_input.h"
#include "cli/run/input/reduction.h"
#include "exec/emit/emit.h"

namespace xmc {

namespace {

Status emit(Session& session, Budget& budget) {
  if (session.native != nullptr) {
    return Status::fail(Code::unsupported,
                        "this checker has its model inside; code is written by xmc-lite itself");
  }
  XMC_TRY(budget.open(session));
  Arena& arena = budget.arena();
  ModelInput input;
  XMC_TRY(read_model(session, arena, input));
  LoadRequest request = request_of(session, input);
  request.for_emit = true;
  // What is not asked for is compiled as written, which serves every run.
  const bool reduced = session.options.given(Opt::reduce);
  const std::string_view reduce = reduced ? session.options.text(Opt::reduce) : "off";
  if (reduced) ask_reduction(session.options, request);
  LoadedModel model;
  XMC_TRY(load(session, request, arena, model));
  const PropertyText& property = input.property;
  const EmitSource source{
      input.text,
      property.form_name(),
      property.source.name,
      property.source.text,
      session.options.text(Opt::fairness),
      session.options.given(Opt::dialect) ? session.options.text(Opt::dialect) : std::string_view{},
      reduce};
  if (session.options.text(Opt::output) == "-") {
    session.out().escape_controls(false);  // for a compiler
    return emit_checker(*model.program, model.text, source, arena,
                        {&session.out(), &Output::write_piece});
  }
  OutputFile file;
  XMC_TRY(file.open_beside(session.options.c_str(Opt::output)));
  FileOutput out(file);
  XMC_TRY(emit_checker(*model.program, model.text, source, arena, {&out, &Output::write_piece}));
  XMC_TRY(out.flush());
  return file.close();
}

}  // namespace

int cmd_emit(Session& session) {
  Budget budget;
  const Status status = emit(session, budget);
  return status.ok() ? session.end_well() : session.end_with(status);
}

}  // namespace xmc
