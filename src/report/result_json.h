// The result of a run as one JSON object, schema 1. Keys of the schema are always there; what is
// not known is null.
#pragma once

#include "report/json.h"
#include "report/run_report.h"

namespace xmc {

// Writes the members of the "options" object; null writes an empty one.
struct OptionsEcho {
  void* self = nullptr;
  void (*write)(void* self, JsonWriter& json) = nullptr;
};

void figure(JsonWriter& json, std::string_view name, u64 value);  // kNoFigure is null
void write_tool_json(JsonWriter& json);  // {"name":...,"version":...,"target":...,...}
void write_result_json(JsonWriter& json, const RunReport& report, const OptionsEcho& options);

}  // namespace xmc
