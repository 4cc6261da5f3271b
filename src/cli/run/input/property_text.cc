#include "cli/run/input/property_text.h"

#include "ltl/formats/read.h"
#include "ltl/translate.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr struct {
  PropertyForm form;
  std::string_view name;
} kForms[] = {
    {PropertyForm::ltl, "ltl"}, {PropertyForm::hoa, "hoa"}, {PropertyForm::never, "never"}};

Status read(const PropertyText& property, bool negated, Arena& arena, ltl::Automaton& out,
            ltl::TextRange& where) {
  const std::string_view text = property.source.text;
  switch (property.form) {
    case PropertyForm::ltl:
      return ltl::translate_text(text, negated, arena, out, where);
    case PropertyForm::hoa:
      return ltl::read_hoa(text, arena, out, where);
    case PropertyForm::never:
      return ltl::read_never(text, arena, out, where);
    case PropertyForm::none:
      break;
  }
  XMC_CHECK(false);
  return {};
}

}  // namespace

std::string_view PropertyText::form_name() const {
  for (const auto& known : kForms) {
    if (known.form == form) return known.name;
  }
  return {};
}

PropertyForm property_form(std::string_view name) {
  for (const auto& known : kForms) {
    if (known.name == name) return known.form;
  }
  return PropertyForm::none;
}

Status make_automaton(const PropertyText& property, bool negated, Diagnostics::Sink sink,
                      void* sink_self, Arena& arena, ltl::Automaton& out) {
  ltl::TextRange where;
  const Status status = read(property, negated, arena, out, where);
  if (status.ok() || !where.known()) return status;
  Diagnostics diagnostics(property.source, sink, sink_self);
  diagnostics.error(where.begin, where.end, "%s", status.c_str());
  return diagnostics.status();
}

}  // namespace xmc
