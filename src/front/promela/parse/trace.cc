// What a trace or notrace may consist of: sends and receives of channels that all processes know,
// and what leads from one to the next. Everything else has been parsed as in a process.
#include "front/promela/parse/context.h"
#include "front/promela/parse/fold.h"
#include "xmc/text.h"

namespace xmc::promela {

namespace {

class TraceCheck {
 public:
  TraceCheck(Context& context, const Proctype& trace)
      : context_(context), s_(context.system), trace_(trace) {}

  void run() {
    for (u32 i = 0; i < trace_.place_count; ++i) place(s_.places[trace_.first_place + i]);
    for (u32 i = 0; i < trace_.label_count; ++i) label(s_.labels[trace_.first_label + i]);
  }

 private:
  void place(const Place& place) {
    for (u32 i = 0; i < place.option_count; ++i) {
      const Option& option = s_.options[place.first_option + i];
      const Action& action = s_.actions[option.action];
      if (option.escape != 0) {
        context_.error(action.place, "a trace has no 'unless'");
      } else if (action.kind == ActionKind::always) {
        context_.error(action.place, "a jump is no event; it goes behind a send or receive");
      } else if (action.kind != ActionKind::send && action.kind != ActionKind::receive) {
        context_.error(action.place, "this is no event: a trace is made of sends and receives");
      } else {
        event(action);
      }
    }
  }

  void event(const Action& action) {
    check_global(action.channel);
    if (action.kind == ActionKind::receive && action.stays) {
      context_.error(action.place, "a message that stays in its channel is no event");
    }
    for (u32 i = 0; i < action.count; ++i) {
      if (action.kind == ActionKind::receive) {
        const ExprId value = s_.patterns[action.first + i].value;
        if (value != kNone) check_global(value);
        continue;
      }
      // `_`, or what is read as that.
      const Expr& value = s_.expressions[s_.arguments[action.first + i]];
      if (value.op == Op::literal) continue;
      if (value.op == Op::load && s_.references[value.a].scope == Scope::nowhere) continue;
      context_.warning(value.place, "only a constant is compared here; this can be anything");
    }
  }

  // What it is made of does not belong to a process.
  void check_global(ExprId id) {
    const Expr& node = s_.expressions[id];
    switch (node.op) {
      case Op::literal:
        return;
      case Op::load: {
        const Reference& reference = s_.references[node.a];
        if (reference.scope != Scope::global) return refuse(node);
        for (u32 i = 0; i < reference.index_count; ++i)
          check_global(s_.indexes[reference.first_index + i].value);
        return;
      }
      case Op::conditional:
        check_global(node.c);
        check_global(node.b);
        return check_global(node.a);
      default:
        if (node.op > Op::conditional) return refuse(node);
        if (node.op >= Op::multiply) check_global(node.b);
        return check_global(node.a);
    }
  }

  void refuse(const Expr& node) {
    context_.error(node.place, "in a trace, values are those of global variables");
  }

  void label(const Label& label) {
    if (!label.name.starts_with("accept") && !label.name.starts_with("progress")) return;
    context_.warning(label.place, "label '%.*s' means nothing in a trace", shown_bytes(label.name),
                     label.name.data());
  }

  Context& context_;
  const System& s_;
  const Proctype& trace_;
};

}  // namespace

void check_trace(Context& context) {
  const u32 trace = context.system.trace;
  if (trace != kNone) TraceCheck(context, context.system.proctypes[trace]).run();
}

}  // namespace xmc::promela
