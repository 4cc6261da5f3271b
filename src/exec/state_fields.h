// The fields of a packed state, for Model::fields.
#pragma once

#include <span>

#include "ir/ir.h"
#include "xmc/arena.h"
#include "xmc/model.h"

namespace xmc {

std::span<const StateField> make_fields(const ir::Program& program, Arena& arena);

}  // namespace xmc
