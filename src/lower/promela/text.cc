#include "lower/promela/text.h"

#include <algorithm>

#include "ir/steps.h"
#include "lower/squeeze.h"
#include "xmc/check.h"
#include "xmc/limits.h"
#include "xmc/text.h"

namespace xmc {

namespace {

using promela::PlaceId;
using promela_lower::ChannelSlot;
using promela_lower::Slot;
using promela_lower::Slots;
using promela_lower::SlotType;
using promela_lower::StepWords;
using promela_lower::Words;

using LeafName = FixedText<2 * limits::kNameBytes>;

class Describer {
 public:
  Describer(const promela::System& system, const Slots& slots, const Words& words, NameStore& names,
            Arena& arena, const ir::RuleProgram& program)
      : s_(system),
        slots_(slots),
        words_(words),
        names_(names),
        arena_(arena),
        p_(program),
        variables_(arena, "text"),
        channels_(arena, "text"),
        processes_(arena, "text") {}

  void processes();
  std::span<const std::string_view> process_names();
  std::span<const VariableText> variables();
  std::span<const ChannelText> channels();
  std::span<const TransitionText> steps();
  std::span<const PredicateText> predicates(const PromelaRequest& request,
                                            const Pool<promela::Span, 5, 2048>& claim_places);

 private:
  VariableText& leaf(u32 index, std::string_view name, const promela::Leaf* kind);
  template <class LeafOf>
  void field(const promela::Field& field, u32 first, std::string_view before, LeafOf leaf_of);
  template <class LeafOf>
  void element(const promela::Field& field, u32 leaf, LeafName& name, LeafOf leaf_of);
  std::string_view channel_name(u32 number);
  void channel(u32 number);
  void slot(u32 q);
  void trace();
  std::span<const std::string_view> mtype_names(u32 list);
  std::span<const std::string_view> place_names(const Slot& slot);
  std::string_view statement(u32 action, SqueezedText& out) const;

  const promela::System& s_;
  const Slots& slots_;
  const Words& words_;
  NameStore& names_;
  Arena& arena_;
  const ir::RuleProgram& p_;
  Pool<VariableText, 6, 8192> variables_;
  Pool<ChannelText, 4, 64> channels_;          // those with a buffer
  Pool<std::string_view, 5, 2048> processes_;  // by Slots::type()
};

// "Sender(2)": of each type that can be in a slot.
void Describer::processes() {
  for (u32 q = 0; q < slots_.count(); ++q) {
    for (u32 i = 0; i < slots_.slot(q).type_count; ++i) {
      const SlotType& type = slots_.type(slots_.slot(q).first_type + i);
      LeafName name;
      name.add(s_.proctypes[type.proctype].name).format("(%u)", q);
      processes_.push(names_.keep(name.view()));
    }
  }
  if (p_.property != kNone) processes_.push(p_.processes[p_.property].name);
}

std::span<const std::string_view> Describer::process_names() {
  const auto out = arena_.carve_array<std::string_view>("text", processes_.size());
  for (u32 i = 0; i < processes_.size(); ++i) out[i] = processes_[i];
  return out;
}

// By value; 0 is none of them.
std::span<const std::string_view> Describer::mtype_names(u32 list) {
  const auto out = arena_.carve_array<std::string_view>("text", s_.mtype_lists[list].count + 1);
  out[0] = "0";
  for (u32 i = 0; i < s_.mtype_names.size(); ++i) {
    const promela::MtypeName& name = s_.mtype_names[i];
    if (name.list == list) out[static_cast<u32>(name.value)] = names_.keep(name.name);
  }
  return out;
}

VariableText& Describer::leaf(u32 index, std::string_view name, const promela::Leaf* kind) {
  const ir::Leaf& leaf = p_.leaves[index];
  VariableText v;
  v.name = names_.keep(name);
  v.slot = leaf.slot;
  v.type_bits = v.slot.width;
  v.kind = VariableKind::number;
  if (kind != nullptr && kind->names != 0 &&
      leaf.hi <= static_cast<i32>(s_.mtype_lists[kind->names - 1u].count) && leaf.lo >= 0) {
    v.kind = VariableKind::symbol;
    v.value_names = mtype_names(kind->names - 1u);
  }
  return variables_[variables_.push(v)];
}

template <class LeafOf>
void Describer::element(const promela::Field& f, u32 at, LeafName& name, LeafOf leaf_of) {
  if (f.type.kind == promela::TypeKind::simple) {
    leaf(leaf_of(at), name.view(), &f.type.leaf);
    return;
  }
  const promela::Record& record = s_.records[f.type.record];
  for (u32 i = 0; i < record.field_count; ++i) {
    LeafName longer;
    longer.add(name.view()).add('.');
    field(s_.fields[record.first_field + i], at, longer.view(), leaf_of);
  }
}

template <class LeafOf>
void Describer::field(const promela::Field& f, u32 first, std::string_view before, LeafOf leaf_of) {
  LeafName name;
  name.add(before).add(f.name);
  if (f.elements == 0) return element(f, first + f.leaf, name, leaf_of);
  for (u32 i = 0; i < f.elements; ++i) {
    LeafName longer;
    longer.add(name.view()).format("[%u]", i);
    element(f, first + f.leaf + i * (f.leaves / f.elements), longer, leaf_of);
  }
}

// Of the global that it is made with; those of processes are just numbers. The texts of globals are
// the first ones, in the order of their leaves.
std::string_view Describer::channel_name(u32 number) {
  u32 made = 0;
  for (u32 i = 0; i < s_.global_initials.size(); ++i) {
    const promela::Initial& initial = s_.global_initials[i];
    if (initial.value != kNone) continue;
    if (++made == number) return variables_[initial.leaf].name;
  }
  LeafName name;
  return names_.keep(name.format("channel %u", number).view());
}

void Describer::channel(u32 number) {
  const ChannelSlot& c = slots_.channel(number);
  if (c.length == kNone) return;
  const u32 first = variables_.size();
  ChannelText text{.name = channel_name(number), .length = first, .cells = first + 1};
  LeafName name;
  name.add(text.name).add(".length");
  leaf(c.length, name.view(), nullptr).kind = VariableKind::channel_length;
  const promela::ChannelForm& form = s_.channels[slots_.form(c, 0)];
  // Of several forms it is not known which field a cell is.
  text.fields = text.message_stride = c.form_count == 1 ? form.field_count : 1;
  text.field_stride = 1;
  text.capacity = c.cell_count / text.fields;
  for (u32 i = 0; i < c.cell_count; ++i) {
    name.clear();
    name.add(text.name).format("[%u]", i / text.fields);
    const promela::Leaf* kind = nullptr;
    if (c.form_count == 1) {
      if (form.field_count > 1) name.format(".%u", i % form.field_count);
      kind = &s_.message_leaves[form.first_field + i % form.field_count];
    }
    VariableText& cell = leaf(c.cells + i, name.view(), kind);
    if (cell.kind == VariableKind::number) cell.kind = VariableKind::channel_cell;
  }
  if (c.form_count == 1) channels_.push(text);
  if (c.form == kNone) return;
  for (u32 i = first; i < variables_.size(); ++i) {
    variables_[i].when = p_.leaves[c.form].slot;
    variables_[i].when_low = 1;
    variables_[i].when_high = static_cast<i32>(c.form_count);
  }
}

std::span<const ChannelText> Describer::channels() {
  const auto out = arena_.carve_array<ChannelText>("text", channels_.size());
  for (u32 i = 0; i < channels_.size(); ++i) out[i] = channels_[i];
  return out;
}

// Where it is: "gone", or its type and the line.
std::span<const std::string_view> Describer::place_names(const Slot& slot) {
  const auto out = arena_.carve_array<std::string_view>("text", slot.codes);
  out[0] = "gone";
  for (u32 i = 0; i < slot.type_count; ++i) {
    const SlotType& type = slots_.type(slot.first_type + i);
    const promela::Proctype& proctype = s_.proctypes[type.proctype];
    for (u32 k = 0; k < proctype.place_count; ++k) {
      const PlaceId id = proctype.first_place + k;
      const u32 code = slots_.code(type.slot, id);
      if (code == 0) continue;
      LeafName name;
      if (slot.type_count > 1) name.add(proctype.name).add(' ');
      name.format(s_.places[id].is_last ? "end" : "line %u",
                  static_cast<unsigned>(words_.line(s_.places[id].place)));
      out[code] = names_.keep(name.view());
    }
  }
  return out;
}

void Describer::slot(u32 q) {
  const Slot& slot = slots_.slot(q);
  if (slot.type_count == 0) return;
  VariableText place;
  LeafName name;
  place.name = slot.type_count == 1 ? processes_[slot.first_type]
                                    : names_.keep(name.format("process %u", q).view());
  place.kind = VariableKind::location;
  place.slot = p_.leaves[slot.place].slot;
  place.type_bits = place.slot.width;
  place.process = slot.first_type;
  place.value_names = place_names(slot);
  variables_.push(place);
  if (slot.priority != kNone) {
    name.clear();
    leaf(slot.priority, name.add(place.name).add("->_priority").view(), nullptr);
  }
  for (u32 i = 0; i < slot.type_count; ++i) {
    const SlotType& type = slots_.type(slot.first_type + i);
    const promela::Proctype& proctype = s_.proctypes[type.proctype];
    const u32 first = variables_.size();
    for (u32 k = 0; k < proctype.variable_count; ++k) {
      LeafName before;
      before.add(processes_[slot.first_type + i]).add("->");
      field(s_.locals[proctype.first_variable + k], 0, before.view(),
            [&](u32 at) { return slots_.cell(type, at); });
    }
    for (u32 k = first; k < variables_.size(); ++k) {
      variables_[k].process = slot.first_type + i;
      variables_[k].when = place.slot;
      variables_[k].when_low = static_cast<i32>(type.first_code);
      variables_[k].when_high = static_cast<i32>(type.last_code);
    }
  }
}

// Where it is, and what comes next if that is one event.
void Describer::trace() {
  const promela::Proctype& trace = s_.proctypes[s_.trace];
  const auto names = arena_.carve_array<std::string_view>("text", slots_.trace_places());
  for (u32 i = 0; i < trace.place_count; ++i) {
    const PlaceId id = trace.first_place + i;
    if (slots_.trace_code(id) == kNone) continue;
    const promela::Place& place = s_.places[id];
    FixedText<kTextBytes + 16> name;
    name.format(place.is_last ? "end" : "line %u", words_.line(place.place));
    if (place.option_count == 1) {
      SqueezedText text;
      name.add(": ").add(statement(s_.options[place.first_option].action, text));
    }
    names[slots_.trace_code(id)] = names_.keep(name.view());
  }
  VariableText& v = leaf(slots_.trace(), trace.name, nullptr);
  v.kind = VariableKind::symbol;
  v.value_names = names;
}

std::span<const VariableText> Describer::variables() {
  for (u32 i = 0; i < s_.globals.size(); ++i)
    field(s_.globals[i], 0, {}, [](u32 at) { return at; });
  for (u32 n = 1; n <= slots_.channels(); ++n) channel(n);
  for (u32 q = 0; q < slots_.count(); ++q) slot(q);
  if (slots_.last_pid() != kNone) leaf(slots_.last_pid(), "_last", nullptr);
  if (slots_.trace() != kNone) trace();
  if (p_.property != kNone) {
    const ir::Process& automaton = p_.processes[p_.property];
    VariableText v;
    v.name = automaton.name;
    v.slot = p_.variables[automaton.location].slot;
    v.type_bits = v.slot.width;
    v.process = processes_.size() - 1;
    v.kind = VariableKind::location;
    v.value_names = p_.location_names;
    variables_.push(v);
  }
  const auto out = arena_.carve_array<VariableText>("text", variables_.size());
  for (u32 i = 0; i < variables_.size(); ++i) out[i] = variables_[i];
  return out;
}

std::string_view Describer::statement(u32 action, SqueezedText& out) const {
  const promela::Action& a = s_.actions[action];
  if (a.kind == promela::ActionKind::die) return "end";
  return squeeze(words_.piece(a.place), out);
}

// A step of two processes is one row: what is sent, and who takes it where.
std::span<const TransitionText> Describer::steps() {
  const u32 steps = p_.step_count - 1;
  const auto out = arena_.carve_array<TransitionText>("text", steps + p_.transitions.size());
  for (u32 i = 0; i < words_.count(); ++i) {
    const StepWords& step = words_.step(i);
    out[i] = {};
    out[i].process = step.process;
    if (step.action == kNone) {
      out[i].text = "provided";
      continue;
    }
    SqueezedText text;
    out[i].line = words_.line(s_.actions[step.action].place);
    const std::string_view sent = names_.keep(statement(step.action, text));
    if (step.partner == kNone) {
      out[i].text = sent;
      continue;
    }
    SqueezedText received;
    FixedText<3 * kTextBytes> both;
    both.add(sent).add(" | ").add(processes_[step.partner]);
    both.format(" line %u: ", words_.line(s_.actions[step.received].place));
    both.add(statement(step.received, received));
    out[i].text = names_.keep(both.view());
    out[i].message = sent;
    out[i].partner = step.partner;
  }
  for (u32 i = words_.count(); i < steps; ++i) out[i] = {.text = "the beginning"};
  for (u32 i = 0; i < p_.transitions.size(); ++i) {
    const ir::Transition& t = p_.transitions[i];
    SqueezedText text;
    text.add(p_.location_names[t.source]).add(" -> ").add(p_.location_names[t.target]);
    out[steps + i] = {processes_.size() - 1, 0, names_.keep(text.view())};
  }
  return out;
}

std::span<const PredicateText> Describer::predicates(
    const PromelaRequest& request, const Pool<promela::Span, 5, 2048>& claim_places) {
  const auto list = arena_.carve_array<PredicateText>("text", p_.predicates.size());
  u32 next = 0;
  while (next < p_.asked_predicates && p_.predicates[next].kind == PredicateText::Kind::bad_prefix)
    list[next++] = {PredicateText::Kind::bad_prefix, 0, names_.keep(request.property_text)};
  if (request.reach != kNone)
    list[next++] = {PredicateText::Kind::goal, 0, names_.keep(request.reach_text)};
  if (request.invariant != kNone)
    list[next++] = {PredicateText::Kind::invariant, 0, names_.keep(request.invariant_text)};
  XMC_CHECK(next + claim_places.size() == list.size());
  for (u32 i = 0; i < claim_places.size(); ++i, ++next) {
    SqueezedText words;
    const bool is_assertion = p_.predicates[next].kind == PredicateText::Kind::assertion;
    const std::string_view said =
        is_assertion ? squeeze(words_.piece(claim_places[i]), words) : request.property_text;
    list[next] = {p_.predicates[next].kind, words_.line(claim_places[i]), names_.keep(said)};
  }
  return list;
}

}  // namespace

void describe_promela(const promela::System& system, const PromelaRequest& request,
                      const Slots& slots, const Words& words,
                      const Pool<promela::Span, 5, 2048>& claim_places, NameStore& names,
                      Arena& arena, const ir::RuleProgram& program, ModelText& text) {
  Describer describer(system, slots, words, names, arena, program);
  describer.processes();
  text.file = names.keep(system.files[0].name);
  text.processes = describer.process_names();
  text.variables = describer.variables();
  text.channels = describer.channels();
  text.transitions = describer.steps();
  text.predicates = describer.predicates(request, claim_places);
  if (program.property != kNone) {
    text.property = program.processes[program.property].name;
    if (request.automaton != nullptr) {
      const std::span<const std::string_view> asked = request.automaton->propositions;
      const auto propositions = arena.carve_array<std::string_view>("text", asked.size());
      SqueezedText words_of;
      for (std::size_t i = 0; i < asked.size(); ++i)
        propositions[i] = names.keep(squeeze(asked[i], words_of));
      text.propositions = propositions;
    }
  }
  text.self = static_cast<const ir::Program*>(&program);
  text.step = ir::decode_step_of;
}

}  // namespace xmc
