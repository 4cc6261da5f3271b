#include "lower/murphi/text.h"

#include <algorithm>
#include <bit>

#include "ir/steps.h"
#include "lower/squeeze.h"
#include "xmc/check.h"
#include "xmc/limits.h"
#include "xmc/text.h"

namespace xmc {

namespace {

using murphi::RuleKind;
using murphi::TypeId;
using murphi::TypeKind;

using LeafName = FixedText<2 * limits::kNameBytes>;

class Describer {
 public:
  Describer(const murphi::System& system, const Source& source, NameStore& names, Arena& arena,
            const ir::RuleProgram& program)
      : s_(system), source_(source), names_(names), arena_(arena), p_(program) {}

  std::span<const VariableText> variables();
  std::span<const TransitionText> steps();
  std::span<const PredicateText> predicates(const MurphiRequest& request,
                                            std::span<const CoverPlace> covers);

 private:
  void leaves(TypeId id, LeafName& name);
  void leaf(TypeId id, std::string_view name);
  // Names of a type's values are made once.
  std::span<const std::string_view> value_names(TypeId id);
  void add_value(TypeId id, i64 value, Text& out);
  void add_parameters(const murphi::Rule& rule, const ir::Rule& lowered, u32 instance, Text& out);
  void instances(const murphi::Rule& rule, u32 number, const ir::Rule& lowered);
  // A property's name, or what it says.
  std::string_view shown(std::string_view name, Span place, SqueezedText& text) const;
  u32 line(Span place) const { return source_.place(place.begin).line; }

  const murphi::System& s_;
  const Source& source_;
  NameStore& names_;
  Arena& arena_;
  const ir::RuleProgram& p_;
  std::span<VariableText> variables_;
  std::span<TransitionText> steps_;
  std::span<std::span<const std::string_view>> names_of_;
  u32 next_ = 0;
};

void Describer::add_value(TypeId id, i64 value, Text& out) {
  const murphi::Type& t = s_.types[id];
  switch (t.kind) {
    case TypeKind::boolean:
      out.add(value != 0 ? "true" : "false");
      return;
    case TypeKind::enumeration:
      out.add(s_.members[t.first + static_cast<u32>(value)].name);
      return;
    case TypeKind::scalarset:
      out.add(t.name.empty() ? "scalarset" : t.name)
          .format("_%lld", static_cast<long long>(value + 1));
      return;
    case TypeKind::union_of:
      for (u32 i = t.count; i-- > 0;) {
        const murphi::Part& part = s_.parts[t.first + i];
        if (value < part.first_value) continue;
        return add_value(part.type, value - part.first_value, out);
      }
      return;
    default:
      out.format("%lld", static_cast<long long>(value));
  }
}

std::span<const std::string_view> Describer::value_names(TypeId id) {
  const murphi::Type& t = s_.types[id];
  if (!names_of_[id].empty()) return names_of_[id];
  const auto list = arena_.carve_array<std::string_view>("text", static_cast<u64>(t.high + 1));
  for (i64 v = 0; v <= t.high; ++v) {
    FixedText<limits::kNameBytes + 16> name;
    add_value(id, v, name);
    list[static_cast<std::size_t>(v)] = names_.keep(name.view());
  }
  names_of_[id] = list;
  return list;
}

void Describer::leaf(TypeId id, std::string_view name) {
  const murphi::Type& t = s_.types[id];
  VariableText& v = variables_[next_];
  v.name = names_.keep(name);
  v.slot = p_.leaves[next_].slot;
  const i32 high = p_.leaves[next_].hi;
  v.type_bits = p_.leaves[next_].lo < 0
                    ? u8{32}
                    : static_cast<u8>(std::bit_width(static_cast<u32>(high) | 1u));
  v.process = kNone;
  v.may_be_undefined = true;
  v.kind = VariableKind::number;
  ++next_;
  if (t.kind == TypeKind::range) return;
  v.kind = VariableKind::symbol;
  v.value_names = value_names(id);
}

void Describer::leaves(TypeId id, LeafName& name) {
  const murphi::Type& t = s_.types[id];
  LeafName longer;
  switch (t.kind) {
    case TypeKind::record:
      for (u32 i = 0; i < t.count; ++i) {
        const murphi::Field& f = s_.fields[t.first + i];
        longer.clear();
        longer.add(name.view()).add('.').add(f.name);
        leaves(f.type, longer);
      }
      return;
    case TypeKind::array:
      for (i64 v = s_.types[t.index].low; v <= s_.types[t.index].high; ++v) {
        longer.clear();
        longer.add(name.view()).add('[');
        add_value(t.index, v, longer);
        longer.add(']');
        leaves(t.element, longer);
      }
      return;
    case TypeKind::multiset:
      for (u32 k = 0; k < t.count; ++k) {
        longer.clear();
        longer.add(name.view()).format("[%u]", k);
        leaves(t.element, longer);
        leaf(murphi::kBooleanType, longer.add(".present").view());
      }
      return;
    default:
      leaf(id, name.view());
  }
}

std::span<const VariableText> Describer::variables() {
  names_of_ = arena_.carve_array<std::span<const std::string_view>>("text", s_.types.size());
  const bool product = p_.property != kNone;
  variables_ = arena_.carve_array<VariableText>("text", s_.state_leaves + (product ? 1u : 0u));
  for (u32 i = 0; i < s_.variables.size(); ++i) {
    const murphi::Variable& v = s_.variables[i];
    if (v.role != murphi::Role::global) continue;
    LeafName name;
    XMC_CHECK(next_ == v.leaf);
    name.add(v.name);
    leaves(v.type, name);
  }
  if (product) {
    const ir::Process& automaton = p_.processes[p_.property];
    VariableText& v = variables_[next_];
    v.name = automaton.name;
    v.slot = p_.variables[automaton.location].slot;
    v.type_bits = v.slot.width;
    v.process = p_.property;
    v.kind = VariableKind::location;
    v.value_names = p_.location_names;
  }
  return variables_;
}

void Describer::add_parameters(const murphi::Rule& rule, const ir::Rule& lowered, u32 instance,
                               Text& out) {
  u32 parameter = lowered.first_parameter;
  u32 radix = lowered.step_count;
  u32 rest = instance;
  for (u32 i = 0; i < rule.binding_count; ++i) {
    const murphi::Variable& v = s_.variables[s_.bindings[rule.first_binding + i]];
    if (v.role == murphi::Role::alias) continue;
    const ir::Parameter& q = p_.parameters[parameter++];
    radix /= q.count;
    const i64 value = q.low + static_cast<i64>(rest / radix) * q.step;
    rest %= radix;
    out.add(i == 0 ? " " : ", ").add(v.name).add(": ");
    add_value(v.type, value, out);
  }
}

// A row for each: "add" i: Proc_2, v: 1
void Describer::instances(const murphi::Rule& rule, u32 number, const ir::Rule& lowered) {
  for (u32 k = 0; k < lowered.step_count; ++k) {
    SqueezedText text;
    if (rule.name.empty()) {
      text.format("%s %u", rule.kind == RuleKind::rule ? "rule" : "startstate", number);
    } else {
      text.add('"').add(rule.name).add('"');
    }
    add_parameters(rule, lowered, k, text);
    steps_[lowered.first_step + k] = {kNone, line(rule.place), names_.keep(text.view())};
  }
}

std::span<const TransitionText> Describer::steps() {
  const u32 steps = p_.step_count - 1;
  steps_ = arena_.carve_array<TransitionText>("text", steps + p_.transitions.size());
  for (u32 i = 0; i < p_.transitions.size(); ++i) {
    const ir::Transition& t = p_.transitions[i];
    SqueezedText text;
    text.add(p_.location_names[t.source]).add(" -> ").add(p_.location_names[t.target]);
    steps_[steps + i] = {t.process, 0, names_.keep(text.view())};
  }
  // Rules were sorted by priority, and their code was made in the order of the text.
  u32 numbers[2] = {0, 0};
  for (u32 i = 0; i < s_.rules.size(); ++i) {
    const murphi::Rule& rule = s_.rules[i];
    if (rule.kind != RuleKind::rule && rule.kind != RuleKind::startstate) continue;
    const bool start = rule.kind == RuleKind::startstate;
    const u32 number = numbers[start ? 1 : 0]++;
    const std::span<const ir::Rule> list = start ? p_.starts : p_.rules;
    // The one with as many smaller beginnings.
    for (const ir::Rule& candidate : list) {
      const auto before = std::count_if(list.begin(), list.end(), [&](const ir::Rule& other) {
        return other.code < candidate.code;
      });
      if (static_cast<u32>(before) == number) instances(rule, number + 1, candidate);
    }
  }
  return steps_;
}

std::string_view Describer::shown(std::string_view name, Span place, SqueezedText& text) const {
  if (!name.empty()) return name;
  return squeeze(piece_of(source_.text, place.begin, place.end - place.begin), text);
}

std::span<const PredicateText> Describer::predicates(const MurphiRequest& request,
                                                     std::span<const CoverPlace> covers) {
  const std::size_t asked = p_.predicates.size() + covers.size();
  const auto list =
      arena_.carve_array<PredicateText>("text", asked + ir::instances_of(p_.liveness));
  u32 next = 0;
  while (next < p_.predicates.size() && p_.predicates[next].kind == PredicateText::Kind::bad_prefix)
    list[next++] = {PredicateText::Kind::bad_prefix, 0, names_.keep(request.property_text)};
  if (request.asked.reach != kNone)
    list[next++] = {PredicateText::Kind::goal, 0, names_.keep(request.reach_text)};
  if (request.asked.invariant != kNone)
    list[next++] = {PredicateText::Kind::invariant, 0, names_.keep(request.invariant_text)};
  for (u32 i = 0; i < s_.rules.size(); ++i) {
    const murphi::Rule& rule = s_.rules[i];
    if (rule.kind != RuleKind::invariant) continue;
    SqueezedText text;
    list[next++] = {PredicateText::Kind::invariant, line(rule.place),
                    names_.keep(shown(rule.name, s_.expressions[rule.guard].place, text))};
  }
  for (const CoverPlace& cover : covers) {
    SqueezedText text;
    list[next++] = {PredicateText::Kind::cover, line(cover.place),
                    names_.keep(shown(cover.name, cover.place, text))};
  }
  u32 number = 0;
  for (u32 i = 0; i < s_.rules.size(); ++i) {
    const murphi::Rule& rule = s_.rules[i];
    if (rule.kind != RuleKind::liveness || p_.liveness.empty()) continue;
    const ir::Rule& lowered = p_.liveness[number++];
    for (u32 k = 0; k < lowered.step_count; ++k) {
      SqueezedText words;
      SqueezedText text;
      text.add(shown(rule.name, s_.expressions[rule.guard].place, words));
      add_parameters(rule, lowered, k, text);
      list[next++] = {PredicateText::Kind::liveness, line(rule.place), names_.keep(text.view())};
    }
  }
  XMC_CHECK(next == list.size());
  return list;
}

}  // namespace

void describe_murphi(const murphi::System& system, const Source& source,
                     const MurphiRequest& request, std::span<const CoverPlace> covers,
                     NameStore& names, Arena& arena, const ir::RuleProgram& program,
                     ModelText& text) {
  Describer describer(system, source, names, arena, program);
  text.file = names.keep(source.name);
  text.variables = describer.variables();
  text.transitions = describer.steps();
  text.predicates = describer.predicates(request, covers);
  if (program.property != kNone) {
    const auto names_of = arena.carve_array<std::string_view>("text", 1);
    names_of[0] = program.processes[program.property].name;
    text.processes = names_of;
    text.property = names_of[0];
    const std::span<const std::string_view> asked = request.asked.automaton->propositions;
    const auto propositions = arena.carve_array<std::string_view>("text", asked.size());
    SqueezedText words;
    for (std::size_t i = 0; i < asked.size(); ++i)
      propositions[i] = names.keep(squeeze(asked[i], words));
    text.propositions = propositions;
  }
  text.self = static_cast<const ir::Program*>(&program);
  text.step = ir::decode_step_of;
}

}  // namespace xmc
