#include "cli/run/check/new_work.h"

#include <algorithm>

#include "cli/run/check/earlier_run.h"
#include "cli/run/check/planned_run.h"
#include "platform/unique.h"
#include "xmc/check.h"

namespace xmc {

namespace {

constexpr u64 kTextShare = 128;  // of the memory, for the text of the model

bool makes_work_at_once(const Asked& asked, const ModelInput& input, const EngineTraits& engine,
                        const Arena& arena) {
  const bool in_memory =
      input.text.size() + input.property.source.text.size() <= arena.free_bytes() / kTextShare;
  return asked.given(Opt::keep) || engine.wants_probe || !in_memory ||
         asked.session.surroundings.storage != nullptr;
}

// The first name that no other process works in. What is refused is refused before the search.
Status find_free_name(WorkPlace& place, const char*& path) {
  WorkDir::Kind kind = WorkDir::Kind::absent;
  Status status;
  for (u32 number = 1; number <= WorkName::kMost; ++number) {
    path = place.name.numbered(number);
    status = place.dir.look_at(path, kind);
    if (!place.dir.in_use()) break;
  }
  return status;
}

// Which run it is. For a directory that is made later the texts have to stay.
void note_question(const Asked& asked, const ModelInput& input, bool later, Arena& arena,
                   WorkPlace& place) {
  RunMarker& marker = place.marker;
  marker.run = unique_number();
  marker.model = input.file;
  marker.emitted = asked.session.native != nullptr;
  place.planned = later && !asked.planning();
  place.model_text = input.text;
  if (input.property.given()) {
    marker.property_form = input.property.form_name();
    marker.property_name = input.property.source.name;
    marker.property_hash = hash_of_text(input.property.source.text);
    place.property_text = input.property.source.text;
  }
  if (!later || asked.session.native != nullptr) return;
  const std::span<char> kept =
      arena.carve_array<char>("model text", std::max<u64>(input.text.size(), 1));
  std::copy(input.text.begin(), input.text.end(), kept.begin());
  place.model_text = {kept.data(), input.text.size()};
}

// The directory that has a name of its own, or any that is free; for a plan it is only looked at.
Status find_work(const Asked& asked, bool own_name, bool later, const EngineTraits& engine,
                 Arena& arena, WorkPlace& place, const char* path) {
  if (!own_name && (asked.planning() || later)) XMC_TRY(find_free_name(place, path));
  if (asked.planning()) return find_place(asked, engine, arena, place, path);
  if (later) return can_make_files_in(file_exists(path) ? path : kCurrentFolder);
  return own_name ? place.dir.open(path) : open_free_name(place, true);
}

}  // namespace

Status open_work(const Asked& asked, const ModelInput& input, u64 model_hash, const EngineUse& use,
                 Arena& arena, WorkPlace& place, bool& keeps_files) {
  const Options& options = asked.options();
  const bool named = options.given(Opt::work);
  const EngineTraits& traits = use.traits();
  if (!named && !options.given(Opt::keep) && !traits.keeps_files && !use.automatic) return {};
  place.name.choose(input.file, options);
  const char* path = named ? options.c_str(Opt::work) : place.name.numbered(1);
  XMC_TRY(find_place_of_process(asked, place.shared, path));
  const bool own_name = named || place.shared.given();
  const bool later = !own_name && !makes_work_at_once(asked, input, traits, arena);
  const Status status = find_work(asked, own_name, later, traits, arena, place, path);
  // An engine without files does not need one, so a directory that cannot be written to does not
  // stop a run that did not ask for it.
  const bool files_needed = traits.keeps_files && !traits.only_checkpoints && !use.automatic;
  const bool needed = named || options.given(Opt::keep) || files_needed;
  if (status.code() == Code::io && !needed) {
    if (!options.given(Opt::quiet)) {
      Output& err = asked.session.err();
      err.add("note      no work directory: ").add(status.message()).add('\n');
    }
    keeps_files = false;
    return {};
  }
  if (!status.ok()) return status;
  place.marker.model_hash = model_hash;
  note_question(asked, input, later, arena, place);
  return later || asked.planning() ? Status() : describe_work(place);
}

}  // namespace xmc
