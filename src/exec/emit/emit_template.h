// The texts of emit_template.cc, emit_rules_template.cc and emit_generator_template.cc, embedded at
// build time: the skeletons around the code of an emitted model.
#pragma once

namespace xmc {

extern const char emit_template_text[];  // ends with a null byte that the size leaves out
extern const unsigned emit_template_size;

extern const char emit_rules_template_text[];
extern const unsigned emit_rules_template_size;

extern const char emit_generator_template_text[];
extern const unsigned emit_generator_template_size;

}  // namespace xmc
