// The parts of declarations that variables, fields and parameters share.
#pragma once

#include "front/promela/parse/context.h"

namespace xmc::promela {

// types.cc
bool parse_mtype_names(Context& context, u32 list);

// declare.cc: `type name, name...` of a typedef.
bool parse_fields(Context& context, Record& record);

// initial.cc: what a variable begins with, in the frame that it stands in.
struct InitialValue {
  bool is_given = false;
  ExprId value = kNone;  // for all elements
  u32 channel = kNone;   // a channel for each element
  u32 first_item = 0;    // a list: Context::gathered
  u32 item_count = 0;
};
bool parse_initial(Context& context, InitialValue& out);  // behind '='
void add_initials(Context& context, const Variable& variable, const InitialValue& initial,
                  bool is_global);

}  // namespace xmc::promela
