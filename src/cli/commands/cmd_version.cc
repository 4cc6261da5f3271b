// `version`: what this program is and what was built into it, for people or as JSON. Scripts and
// tests read engines and languages from here.
#include "cli/commands/commands.h"
#include "engine/registry.h"
#include "lang/language.h"
#include "phf/page_codec.h"
#include "platform/file_backend.h"
#include "report/result_json.h"
#include "report/target.h"

namespace xmc {

namespace {

// What makes the pages of a perfect hash, as --phf-codec has it.
constexpr struct {
  const char* name;
  phf::Codec codec;
} kCodecs[] = {{"own", phf::Codec::pilot}, {"cmph", phf::Codec::chd}};

const char* backend_in_use() { return file_backend(IoBackend::automatic)->name(); }

// Those that refuse a model without a product, or all of them.
void write_engines(JsonWriter& json, const char* key, bool of_cycles) {
  json.key(key).begin_array();
  for (const EngineInfo& info : engines()) {
    if (info.traits->only_cycles || !of_cycles) json.string(info.traits->name);
  }
  json.end_array();
}

void write_version_json(void*, JsonWriter& json) {
  json.begin_object().key("schema").number(1).key("tool");
  write_tool_json(json);
  json.key("io").begin_object().key("backend").string(backend_in_use()).key("built").begin_array();
  for (const char* const name : built_backends()) json.string(name);
  json.end_array().end_object().key("codecs").begin_array();
  for (const auto& codec : kCodecs) {
    if (phf::codec_calls(codec.codec) != nullptr) json.string(codec.name);
  }
  json.end_array();
  write_engines(json, "engines", false);
  write_engines(json, "cycle_engines", true);
  json.key("languages").begin_array();
  for (const Language& language : languages()) json.string(language.name);
  json.end_array();
  json.end_object();
}

void write_io(Output& out) {
  out.add("I/O       ").add(backend_in_use()).add(" in use; built in:");
  for (const char* const name : built_backends()) out.add(' ').add(name);
  const bool has_uring =
      built_backends().size() > 1 && built_backends()[1] == std::string_view("uring");
  if (has_uring && file_backend(IoBackend::uring) == nullptr)
    out.add("; this kernel does not allow uring");
  out.add('\n');
}

void write_text(Output& out, const NativeModel* native) {
  out.add(kToolName).add(' ').add(kToolVersion).add(" (").add(kTarget).add(")\n");
  if (native != nullptr) out.add("built for the model ").add(native->file).add('\n');
  out.add("commit    ").add(kToolCommit).add('\n');
  out.add("compiler  ").add(kCompiler).add('\n');
  write_io(out);
  out.add("codecs    of the perfect hash:");
  for (const auto& codec : kCodecs) {
    if (phf::codec_calls(codec.codec) != nullptr) out.add(' ').add(codec.name);
  }
  out.add("\nlanguages");
  for (const Language& language : languages()) out.add(' ').add(language.name);
  out.add("\nengines\n");
  for (const EngineInfo& info : engines()) {
    out.format("  %-12s", info.traits->name).add(info.traits->summary).add('\n');
  }
}

}  // namespace

int cmd_version(Session& session) {
  if (session.options.given(Opt::json)) {
    const Status status = session.write_json_object(&write_version_json, nullptr);
    if (!status.ok()) return session.end_with(status);
  }
  if (session.options.text(Opt::json) != "-") {
    write_text(session.out(), session.native);
  }
  return session.end_well();
}

}  // namespace xmc
