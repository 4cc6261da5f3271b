// The emitter: a program as one C++ file that, compiled and linked with the tool, is a checker for
// that model.
#pragma once

#include <string_view>

#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/model_text.h"
#include "xmc/status.h"

namespace xmc {

struct EmitSink {
  void* self = nullptr;
  Status (*write)(void* self, std::string_view piece) = nullptr;
};

// What the checker is to have inside beside the code: the texts that the program was lowered from
// (with LoadRequest::for_emit).
struct EmitSource {
  std::string_view model;
  std::string_view property_form;  // as in NativeModel
  std::string_view property_name;
  std::string_view property;
  std::string_view fairness;
  std::string_view dialect;
  std::string_view reduce;
};

Status emit_checker(const ir::Program& program, const ModelText& text, const EmitSource& source,
                    Arena& arena, const EmitSink& sink);

}  // namespace xmc
