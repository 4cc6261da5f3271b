#include "engine/symbolic/set_checkpoint.h"

#include "engine/search/file_names.h"
#include "engine/search/level_checkpoint.h"
#include "store/symbolic/saved_sets.h"

namespace xmc {

namespace {

constexpr u32 kConfirmedBit = 32;

}  // namespace

void SetCheckpoint::start(Folder& folder, std::span<u8> buffer) {
  folder_ = &folder;
  buffer_ = buffer;
  number_ = 0;
  name_ = {};
}

Status SetCheckpoint::not_sound() const { return not_of_checkpoint(name_.c_str()); }

// --- Saving -----------------------------------------------------------------------------------

Status SetCheckpoint::next_file() {
  name_ = FileName(kSetsFile, ++number_);
  if (number_ < kRemovedBehind) return {};
  return folder_->remove(FileName(kSetsFile, number_ - kRemovedBehind).c_str());
}

void SetCheckpoint::lines(Lines& io, Shape& shape, FileMark& mark) {
  io.number("sets-number", number_);
  io.row("sets-shape", shape.levels, shape.values, shape.nodes, shape.sets);
  name_ = FileName(kSetsFile, number_);
  io.file(name_.c_str(), mark);
}

Status SetCheckpoint::save(SymbolicSearch& search, u32 row, Lines& io) {
  XMC_TRY(next_file());
  XMC_LET(Device* const device, folder_->open(name_.c_str(), Folder::Open::create));
  out_.start(device, buffer_);
  Shape shape;
  Status status = write(search, row, shape);
  if (status.ok()) status = out_.finish();
  folder_->close(device);
  XMC_TRY(status);
  FileMark mark = mark_of(out_);
  lines(io, shape, mark);
  return io.status();
}

Status SetCheckpoint::write(SymbolicSearch& search, u32 row, Shape& shape) {
  shape.levels = search.levels();
  for (const u16 field : search.order().field_at) {
    const Word word[] = {field};
    XMC_TRY(out_.add(word));
  }
  XMC_TRY(write_values(search, shape));
  SetWriter sets(search.diagram());
  for (const Node set : search.sets()) sets.add(set);
  for (const Node set : search.row().first(row)) sets.add(set);
  XMC_TRY(sets.write(out_));
  shape.nodes = sets.nodes();
  for (const std::span<Node> part : {search.sets(), search.row().first(row)}) {
    shape.sets += part.size();
    for (const Node set : part) {
      const Word word[] = {sets.number_of(set)};
      XMC_TRY(out_.add(word));
    }
  }
  return {};
}

Status SetCheckpoint::write_values(SymbolicSearch& search, Shape& shape) {
  const FieldValues& values = search.values();
  for (u32 field = 0; field < search.levels(); ++field) {
    const u32 count = values.count(field);
    shape.values += count;
    const Word counted[] = {count};
    XMC_TRY(out_.add(counted));
    for (u32 i = 0; i < count; ++i) {
      const Word confirmed = values.is_confirmed(field, i) ? 1 : 0;
      const Word word[] = {values.code(field, i) | confirmed << kConfirmedBit};
      XMC_TRY(out_.add(word));
    }
  }
  return {};
}

// --- Restoring --------------------------------------------------------------------------------

Status SetCheckpoint::restore(SymbolicSearch& search, u32 row, Lines& io) {
  Shape shape;
  FileMark mark;
  lines(io, shape, mark);
  XMC_TRY(io.status());
  const u64 most = u64{1} << ListNodes::kNodeBits;
  if (shape.levels != search.levels() || shape.values > most || shape.nodes > most ||
      shape.sets != search.sets().size() + u64{row}) {
    return not_sound();
  }
  XMC_LET(Device* const device, folder_->open(name_.c_str(), Folder::Open::existing));
  in_.start(device, name_.c_str(), shape.words(), buffer_);
  const Status status = read(search, row, shape);
  folder_->close(device);
  return status;
}

Status SetCheckpoint::read(SymbolicSearch& search, u32 row, const Shape& shape) {
  u64 at = 0;
  bool room = true;
  XMC_TRY(read_order(search, at));
  search.begin_values();
  XMC_TRY(read_values(search, at, room));
  search.begin_sets();
  SetDiagram& diagram = search.diagram();
  if (!room || search.row().size() < row) diagram.stop(SetDiagram::Stop::full);
  if (diagram.stopped()) return {};
  if (at != shape.first_node()) return not_sound();
  SetReader sets(diagram, search.levels());
  XMC_TRY(sets.read(in_, at, shape.nodes));
  at += shape.nodes;
  for (const std::span<Node> part : {search.sets(), search.row().first(row)}) {
    for (Node& set : part) {
      if (diagram.stopped()) return {};
      Word number[1] = {};
      XMC_TRY(in_.read(at++, number));
      if (!sets.make(number[0], set) && !diagram.stopped()) return not_sound();
    }
  }
  return {};
}

Status SetCheckpoint::read_order(SymbolicSearch& search, u64& at) {
  const LevelOrder& order = search.order();
  for (u16& level : order.level_of) level = static_cast<u16>(kNone);
  for (u32 level = 0; level < order.levels(); ++level) {
    Word word[1] = {};
    XMC_TRY(in_.read(at++, word));
    const u64 field = word[0];
    if (field >= order.levels()) return not_sound();
    if (order.level_of[static_cast<std::size_t>(field)] != static_cast<u16>(kNone)) {
      return not_sound();
    }
    order.field_at[level] = static_cast<u16>(field);
    order.level_of[static_cast<std::size_t>(field)] = static_cast<u16>(level);
  }
  return {};
}

// Their numbers are what they were.
Status SetCheckpoint::read_values(SymbolicSearch& search, u64& at, bool& room) {
  FieldValues& values = search.values();
  for (u32 field = 0; field < search.levels(); ++field) {
    Word count[1] = {};
    XMC_TRY(in_.read(at++, count));
    if (count[0] > ListNodes::kMostValues) return not_sound();
    for (u32 i = 0; i < count[0] && room; ++i) {
      Word word[1] = {};
      XMC_TRY(in_.read(at++, word));
      const u32 number = values.number_of(field, static_cast<u32>(word[0]));
      room = number != kNone;
      if (room && number != i) return not_sound();
      if (room && (word[0] >> kConfirmedBit & 1) != 0) values.confirm(field, i);
    }
    if (!room) return {};
  }
  return {};
}

}  // namespace xmc
