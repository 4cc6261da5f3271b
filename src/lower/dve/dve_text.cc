#include "lower/dve/dve_text.h"

#include <bit>

#include "ir/steps.h"
#include "lower/squeeze.h"
#include "xmc/text.h"

namespace xmc {

namespace {

u8 shown_bits(const ir::Variable& v) {
  if (v.role == ir::Role::location || v.role == ir::Role::channel_length) {
    return static_cast<u8>(std::bit_width(static_cast<u32>(v.type_hi < 1 ? 1 : v.type_hi)));
  }
  return v.type_lo < 0 ? 16 : 8;
}

void name_variable(const ir::Program& p, const ir::Variable& v, u32 variable, u32 element,
                   Text& out) {
  out.clear();
  if (v.role == ir::Role::number && v.process != kNone)
    out.add(p.processes[v.process].name).add("->");
  out.add(v.name);
  if (v.role == ir::Role::channel_length) out.add(".length");
  if (v.role == ir::Role::channel_cell) {
    u32 channel = 0;
    while (p.channels[channel].capacity == 0 || variable < p.channels[channel].first_cell ||
           variable >= p.channels[channel].first_cell + p.channels[channel].value_count) {
      ++channel;
    }
    if (p.channels[channel].value_count > 1) {
      out.format(".value%u", variable - p.channels[channel].first_cell);
    }
  }
  if (v.is_array) out.format("[%u]", element);
}

std::span<const VariableText> describe_variables(const ir::Program& p, NameStore& names,
                                                 Arena& arena) {
  u64 count = 0;
  for (const ir::Variable& v : p.variables) count += v.size;
  const std::span<VariableText> out = arena.carve_array<VariableText>("text", count);
  u32 next = 0;
  FixedText<2 * limits::kNameBytes + 64> name;
  for (u32 i = 0; i < p.variables.size(); ++i) {
    const ir::Variable& v = p.variables[i];
    for (u32 k = 0; k < v.size; ++k) {
      name_variable(p, v, i, k, name);
      VariableText& t = out[next++];
      t.name = names.keep(name.view());
      t.kind = static_cast<VariableKind>(v.role == ir::Role::number     ? VariableKind::number
                                         : v.role == ir::Role::location ? VariableKind::location
                                         : v.role == ir::Role::channel_length
                                             ? VariableKind::channel_length
                                             : VariableKind::channel_cell);
      t.type_bits = shown_bits(v);
      t.process = v.process;
      t.slot = ir::element_slot(v, k);
      if (v.role != ir::Role::location) continue;
      const ir::Process& q = p.processes[v.process];
      t.value_names = std::span<const std::string_view>(p.location_names)
                          .subspan(q.first_location, q.location_count);
    }
  }
  return out;
}

std::span<const ChannelText> describe_channels(const ir::Program& p, Arena& arena) {
  u32 count = 0;
  for (const ir::Channel& c : p.channels) count += c.capacity != 0 ? 1 : 0;
  const std::span<ChannelText> out = arena.carve_array<ChannelText>("text", count);
  u32 next = 0;
  for (const ir::Channel& c : p.channels) {
    if (c.capacity == 0) continue;
    // Each element of a variable has a text.
    u32 length = 0;
    for (u32 i = 0; i < c.length; ++i) length += p.variables[i].size;
    out[next++] = {.name = c.name,
                   .length = length,
                   .cells = length + 1,
                   .capacity = c.capacity,
                   .fields = c.value_count,
                   .message_stride = 1,
                   .field_stride = c.capacity};
  }
  return out;
}

// What stands behind "sync": "c!x + 1". Its channel alone, where the text of the step was cut.
std::string_view sent_by(const dve::Transition& t, const dve::System& system,
                         std::string_view text) {
  if (t.sync != dve::Sync::send) return {};
  constexpr std::string_view kWord = " sync ";
  const std::size_t at = text.find(kWord);
  if (at == std::string_view::npos) return system.channels[t.channel].name;
  text.remove_prefix(at + kWord.size());
  return piece_of(text, 0, text.find(';'));
}

}  // namespace

void describe_dve(const dve::System& system, const Source& source, const LowerRequest& request,
                  std::span<const u32> processes, NameStore& names, Arena& arena,
                  const ir::Program& p, ModelText& text) {
  text.file = names.keep(source.name);
  const auto process_names = arena.carve_array<std::string_view>("text", p.processes.size());
  for (u32 i = 0; i < p.processes.size(); ++i) process_names[i] = p.processes[i].name;
  text.processes = process_names;
  text.variables = describe_variables(p, names, arena);
  text.channels = describe_channels(p, arena);
  if (p.property != kNone) text.property = p.processes[p.property].name;

  SqueezedText line;
  const auto transitions = arena.carve_array<TransitionText>("text", p.transitions.size());
  u32 next = 0;
  for (u32 i = 0; i < system.transitions.size(); ++i) {
    const dve::Transition& t = system.transitions[i];
    if (processes[t.process] == kNone) continue;
    const std::string_view raw = piece_of(source.text, t.text_begin, t.text_end - t.text_begin);
    const std::string_view words = names.keep(squeeze(raw, line));
    transitions[next++] = {processes[t.process], t.line, words, sent_by(t, system, words)};
  }
  // Those of an automaton from elsewhere, which the text does not have.
  for (; next < p.transitions.size(); ++next) {
    const ir::Transition& t = p.transitions[next];
    const u32 first = p.processes[t.process].first_location;
    line.clear();
    line.add(p.location_names[first + t.source])
        .add(" -> ")
        .add(p.location_names[first + t.target]);
    transitions[next] = {t.process, 0, names.keep(line.view())};
  }
  text.transitions = transitions;

  const auto predicates = arena.carve_array<PredicateText>("text", p.predicates.size());
  next = 0;
  while (next < p.predicates.size() && p.predicates[next].kind == PredicateText::Kind::bad_prefix) {
    predicates[next++] = {PredicateText::Kind::bad_prefix, 0, names.keep(request.property_text)};
  }
  if (request.reach != kNone) {
    predicates[next++] = {PredicateText::Kind::goal, 0, names.keep(request.reach_text)};
  }
  if (request.invariant != kNone) {
    predicates[next++] = {PredicateText::Kind::invariant, 0, names.keep(request.invariant_text)};
  }
  for (u32 i = 0; i < system.assertions.size(); ++i) {
    const dve::Assertion& a = system.assertions[i];
    if (processes[a.process] == kNone) continue;
    const std::string_view raw = piece_of(source.text, a.text_begin, a.text_end - a.text_begin);
    predicates[next++] = {PredicateText::Kind::assertion, a.line, names.keep(squeeze(raw, line))};
  }
  text.predicates = predicates;
  const auto propositions =
      arena.carve_array<std::string_view>("text", request.proposition_texts.size());
  for (std::size_t i = 0; i < propositions.size(); ++i)
    propositions[i] = names.keep(squeeze(request.proposition_texts[i], line));
  text.propositions = propositions;
  text.self = &p;
  text.step = ir::decode_step_of;
}

}  // namespace xmc
