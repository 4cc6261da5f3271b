// A run up to its seal: the memory of the process, and the steps that fill it.
#include "cli/run/check/check_run.h"
#include "cli/run/check/plan_lines.h"
#include "cli/run/check/planned_run.h"
#include "cli/run/output/trace_files.h"
#include "engine/registry.h"
#include "platform/cold_code.h"

namespace xmc {

namespace {

// Nothing is thrown, no other command is called, and only one front end. An engine that was asked
// for takes less than the largest one. Gives the bytes of code of them.
u64 give_unused_code(Budget& budget, const Language* own, bool engine_known) {
  const auto give = [&](std::span<u8> pages) {
    keep_apart(pages);
    budget.give(pages.size());
    return pages.size();
  };
  if (engine_known) budget.give(unused_engine_bytes());
  give(unwind_tables());
  u64 given = give(code_of_commands());
  for (const Language& language : languages()) {
    if (&language != own) given += give(code_of_language(language.name));
  }
  return given;
}

// Of the model that is checked.
Status find_own_language(const Asked& asked, const RunMarker& marker, const Language*& own) {
  Session& session = asked.session;
  if (session.native == nullptr && !asked.from_work) {
    session.report.file = session.options.operand();
    return find_language(session.options, session.options.operand(), own);
  }
  own = asked.from_work && session.native == nullptr ? language_of_run(session.options, marker)
                                                     : language_by_name(session.native->language);
  return {};
}

void tell_plan(CheckRun& run) {
  Session& session = run.asked.session;
  if (session.options.given(Opt::quiet)) return;
  const bool planning = run.asked.planning();
  if (!planning) {
    print_plan(run.asked, run.question, run.use, run.budget, run.place,
               session.options.given(Opt::verbose), session.err());
  }
  if (!run.use.traits().keeps_files || (!planning && run.place.folder == nullptr)) return;
  note_drawback(planning ? run.asked.planned->place : run.place.path_of_device(),
                run.place.dir.path(), session.err());
}

}  // namespace

Status prepare(CheckRun& run) {
  Session& session = run.asked.session;
  const bool from_work = run.asked.from_work;
  XMC_TRY(from_work ? find_run(run.asked, run.place, run.earlier)
                    : find_engine_of(session.options, run.use));
  XMC_TRY(session.open_json_stream());
  XMC_TRY(check_trace_names(session.options));
  run.watch.start();
  const u64 spare = engine_bytes() + cold_code().size() + unwind_tables().size();
  XMC_TRY(run.budget.open(session, spare));
  if (from_work) {
    XMC_TRY(restore_run(run.asked, run.place, run.earlier, run.budget.arena(), run.watch,
                        run.checkpoints, run.use));
  }
  const Language* own = nullptr;
  XMC_TRY(find_own_language(run.asked, run.place.marker, own));
  const u64 given = give_unused_code(run.budget, own, !run.use.automatic);
  XMC_TRY(load_input(run));
  session.report.engine = run.use.engine->name();
  XMC_TRY(plan(run, given));
  session.report.engine = run.use.engine->name();
  session.report.engine_is_choice = run.use.automatic;
  tell_plan(run);
  static_cast<void>(session.err().flush());
  drop_cold_code();
  return {};
}

}  // namespace xmc
