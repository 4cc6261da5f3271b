// What the owners of a divided search have done, in words and figures: each of them and all.
#pragma once

#include "report/json.h"
#include "report/row.h"
#include "report/run_report.h"

namespace xmc {

// Nothing, if there is none.
void write_owners(Row& out, const RunReport& report);
void write_each_owner(Row& out, const RunReport& report);
void write_owners_json(JsonWriter& json, const RunReport& report);

}  // namespace xmc
