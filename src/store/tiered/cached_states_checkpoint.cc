// Checkpoints of a set of states with a table in front. The table's states become old ones; the
// table is not saved.
#include "store/checkpoint/lines.h"
#include "store/files/word_file.h"
#include "store/tiered/cached_states.h"
#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {

void CachedStates::diagram_lines(Lines& io, const FileName& name, Said& said) {
  said.has_diagram = io.there("states-diagram", said.has_diagram);
  if (!said.has_diagram) return;
  StateDiagram::Saved& saved = said.diagram;
  io.row("states-diagram", saved.order, saved.root, saved.size, saved.words);
  io.file(name.c_str(), said.file);
}

Status CachedStates::save(Lines& io, const FileName& name, std::span<u8> buffer) {
  if (filed_ < table_.size()) {
    if (!diagram_.on()) {
      XMC_TRY(write_run(table_.size()));
    } else if (!give_to_diagram()) {
      XMC_TRY(leave_diagram());
    }
  }
  io.number("states-age", age_);
  XMC_TRY(runs_.save(io));
  Said said;
  said.has_diagram = diagram_.on();
  if (diagram_.on()) XMC_TRY(save_diagram(name, buffer, said));
  diagram_lines(io, name, said);
  return io.status();
}

// Two words of the diagram in one of the file.
Status CachedStates::save_diagram(const FileName& name, std::span<u8> buffer, Said& said) {
  const std::span<const u32> nodes = diagram_.nodes(said.diagram);
  XMC_LET(Device* const device, folder_->open(name.c_str(), Folder::Open::create));
  WordWriter out;
  out.start(device, buffer);
  Status status;
  for (std::size_t i = 0; i < nodes.size() && status.ok(); i += 2) {
    const Word high = i + 1 < nodes.size() ? nodes[i + 1] : 0;
    const Word word = nodes[i] | high << 32;
    status = out.add({&word, 1});
  }
  if (status.ok()) status = out.finish();
  folder_->close(device);
  said.file = {out.bytes(), out.chain()};
  return status;
}

Status CachedStates::restore(Lines& io, const FileName& name, std::span<u8> buffer) {
  XMC_CHECK(table_.size() == 0);
  Said said;
  io.number("states-age", age_);
  diagram_lines(io, name, said);
  XMC_TRY(io.status());
  XMC_TRY(runs_.restore(io));
  if (said.has_diagram) return load_diagram(name, buffer, said);
  if (shape_.form == Form::diagram) {
    shape_.form = Form::tiers;
    lay_out_diagram();
    XMC_TRY(behind(runs_.set_filters(filters())));
  }
  return settle();
}

Status CachedStates::load_diagram(const FileName& name, std::span<u8> buffer, const Said& said) {
  const StateDiagram::Saved& saved = said.diagram;
  if (saved.words == 0) return {};
  if (saved.order >= KeyOrder::kCandidates || saved.root >= saved.words) {
    return not_of_checkpoint(name.c_str());
  }
  const Status too_small =
      Status::fail(Code::budget,
                   "the diagram of the checkpoint has %llu bytes, which do not fit; resume with as "
                   "much --ram as the run had",
                   wide(saved.words * sizeof(u32)));
  const std::span<u32> nodes = diagram_.on() ? diagram_.room_for(saved) : std::span<u32>();
  if (nodes.empty()) return too_small;
  XMC_LET(Device* const device, folder_->open(name.c_str(), Folder::Open::existing));
  WordReader in;
  in.start(device, name.c_str(), divide_up(saved.words, 2), buffer);
  Status status;
  for (u64 i = 0; i < saved.words && status.ok(); i += 2) {
    Word word = 0;
    status = in.read(i / 2, {&word, 1});
    nodes[static_cast<std::size_t>(i)] = static_cast<u32>(word);
    if (i + 1 < saved.words) nodes[static_cast<std::size_t>(i + 1)] = static_cast<u32>(word >> 32);
  }
  folder_->close(device);
  XMC_TRY(status);
  return diagram_.load(saved) ? Status() : too_small;
}

}  // namespace xmc
