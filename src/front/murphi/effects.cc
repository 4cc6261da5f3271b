// What routines change: guards and properties may not call one that changes the state, and a value
// parameter is a copy here but not always in CMurphi.
#include "front/murphi/nodes.h"
#include "xmc/check.h"

namespace xmc::murphi {

namespace {

bool changes(const Context& context, u32 routine, VariableId variable) {
  for (u32 i = 0; i < context.writes.size(); ++i) {
    const Write& write = context.writes[i];
    if (write.routine == routine && write.variable == variable) return true;
  }
  return false;
}

void add_write(Context& context, VariableId variable) {
  context.system.routines[context.routine].writes_state = true;
  if (changes(context, context.routine, variable) || context.writes.full()) return;
  context.writes.push({context.routine, variable});
}

}  // namespace

void note_written(Context& context, VariableId id) {
  Variable& variable = context.system.variables[id];
  if (variable.role == Role::reference) variable.is_written = true;
  if (variable.role == Role::global && context.routine != kNone) add_write(context, id);
}

void report_watching(Context& context, u32 id, Span place) {
  const Routine& routine = context.system.routines[id];
  context.error(place, "'%.*s' changes the state, which a guard or property may not do",
                shown_bytes(routine.name), routine.name.data());
  context.note(routine.place, "'%.*s' is declared here", shown_bytes(routine.name),
               routine.name.data());
}

void note_call(Context& context, u32 id, Span place) {
  Routine& routine = context.system.routines[id];
  if (id == context.routine) routine.is_recursive = true;
  if (!routine.writes_state) return;
  if (context.setting == Setting::watching) report_watching(context, id, place);
  if (context.routine == kNone || id == context.routine) return;
  context.system.routines[context.routine].writes_state = true;
  const u32 count = context.writes.size();
  for (u32 i = 0; i < count; ++i) {
    if (context.writes[i].routine == id) add_write(context, context.writes[i].variable);
  }
}

// CMurphi passes a value of the parameter's very type by reference, so that a routine sees its own
// changes of the argument. That is said once: models that send from a net to the net do it in every
// rule, and hardly ever mean it.
void warn_shared_argument(Context& context, u32 id, const Variable& formal, ExprId actual) {
  if (context.is_sharing_noted || !is_place(context, actual) ||
      type_of(context, actual) != formal.type)
    return;
  const VariableId root = root_of(context, actual);
  if (root == kNone || !changes(context, id, root)) return;
  context.is_sharing_noted = true;
  const Routine& routine = context.system.routines[id];
  const Variable& variable = context.system.variables[root];
  context.warning(place_of(context, actual),
                  "'%.*s' may change '%.*s', and has a copy of it here; CMurphi would let it see "
                  "the change",
                  shown_bytes(routine.name), routine.name.data(), shown_bytes(variable.name),
                  variable.name.data());
}

}  // namespace xmc::murphi
