#include "cli/commands.h"
#include "engine/registry.h"
#include "report/result_json.h"
#include "report/target.h"

namespace xmc {

namespace {

void write_json(void*, JsonWriter& json) {
  json.begin_object().key("schema").number(1).key("tool");
  write_tool_json(json);
  json.key("engines").begin_array();
  for (const EngineInfo& info : engines()) {
    if (info.make != nullptr) json.string(info.name);
  }
  json.end_array().key("languages").begin_array().string("dve").end_array();
  json.end_object();
}

}  // namespace

int cmd_version(Session& session) {
  if (session.options.given(Opt::json)) {
    const Status status = session.write_json_object(&write_json, nullptr);
    if (!status.ok()) return session.end_with(status);
  }
  if (session.options.text(Opt::json) != "-") {
    Output& out = session.out();
    out.add(kToolName).add(' ').add(kToolVersion).add(" (").add(kTarget).add(")\n");
    if (session.native != nullptr)
      out.add("built for the model ").add(session.native->file).add('\n');
    out.add("languages: dve\nengines:\n");
    for (const EngineInfo& info : engines()) {
      if (info.make == nullptr) continue;
      out.add("  ").add(info.name).spaces(12).add(info.description).add('\n');
    }
  }
  return session.end_well();
}

}  // namespace xmc
