#include "cli/run/input/saved_input.h"

#include "platform/files.h"

namespace xmc {

Status read_text_file(const char* path, Arena& arena, std::string_view& out) {
  ModelInput input;
  XMC_TRY(read_model_file(path, arena, input));
  out = input.text;
  return {};
}

const Language* saved_language(std::string_view file) {
  const Language* const by_suffix = language_by_suffix(file);
  return by_suffix != nullptr ? by_suffix : languages().data();
}

LoadRequest request_of(const SavedTrace& trace, const ModelInput& input,
                       const NativeModel* native) {
  LoadRequest request;
  request.file = input.file;
  request.text = input.text;
  request.language = input.language != nullptr ? input.language : saved_language(input.file);
  request.errors = error_rule(trace.errors);
  request.property = trace.property;
  request.invariant = trace.invariant;
  request.reach = trace.reach;
  request.ignore_property = !trace.invariant.empty() || !trace.reach.empty();
  request.as_cycles = trace.as_cycles;
  request.fair = trace.fair;
  request.rumur = trace.rumur;
  if (!trace.ltl.empty()) request.elsewhere = {PropertyForm::ltl, {"--ltl", trace.ltl}};
  if (!trace.hoa.empty()) request.elsewhere = {PropertyForm::hoa, {"--hoa", trace.hoa}};
  if (!trace.never.empty()) request.elsewhere = {PropertyForm::never, {"--never", trace.never}};
  request.native = native;
  return request;
}

Status check_same_model(const SavedTrace& trace, const LoadedModel& model) {
  if (trace.model_hash == model.text_hash) return {};
  return Status::fail(
      Code::usage,
      "the trace was saved for another text of the model (hash %016llx, this one has %016llx)",
      wide(trace.model_hash), wide(model.text_hash));
}

}  // namespace xmc
