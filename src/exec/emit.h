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

// `source` is the model text that the program was lowered from (with LoadRequest::for_emit): it is
// embedded.
Status emit_checker(const ir::Program& program, const ModelText& text, std::string_view source,
                    Arena& arena, const EmitSink& sink);

}  // namespace xmc
