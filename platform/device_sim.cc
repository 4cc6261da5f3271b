#include "platform/device_sim.h"

#include <string_view>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {
namespace {

constexpr u64 kEverything = ~u64{0};
constexpr u64 kLogFile = 0;

// FNV-1a: a number for a name, the same after a reopen.
u64 number_of(std::string_view name) {
  u64 hash = 0xCBF2'9CE4'8422'2325;
  for (const char c : name) hash = (hash ^ static_cast<u8>(c)) * 0x100'0000'01B3;
  return hash == kLogFile ? 1 : hash;
}

u64 bytes_of(std::span<const ReadRequest> batch) {
  u64 bytes = 0;
  for (const ReadRequest& request : batch) bytes += request.into.size();
  return bytes;
}

DeviceGeometry geometry_of(const CardModel& card, const Device& below) {
  DeviceGeometry geometry = below.geometry();
  geometry.queue_depth = card.profile().queue_depth;
  if (card.profile().unit_bytes > 0)
    geometry.preferred_bytes = static_cast<u32>(card.profile().unit_bytes);
  geometry.direct = true;
  return geometry;
}

}  // namespace

SimDevice::SimDevice(DiskUse& use, const char* name, CardModel& card, u64 file, Device& below)
    : DeviceBase(use, name, geometry_of(card, below), below.size_bytes()),
      card_(&card),
      below_(&below),
      file_(file) {}

Status SimDevice::do_read(std::span<const ReadRequest> batch, Purpose purpose) {
  XMC_TRY(below_->read(batch, purpose));
  card_->wait_until(card_->read(batch.size(), bytes_of(batch)));
  return {};
}

Status SimDevice::do_append(std::span<const u8> blocks, Purpose purpose) {
  XMC_TRY(below_->append(blocks, purpose));
  card_->wait_until(card_->write(file_, size_bytes(), blocks.size()));
  return {};
}

bool SimDevice::do_begin_read(std::span<const ReadRequest> batch, Purpose purpose, Status& result) {
  pending_read_ = {card_->read(batch.size(), bytes_of(batch)), purpose, &result};
  read_batch_ = batch;
  return true;
}

void SimDevice::do_finish_read() {
  *pending_read_.result = below_->read(read_batch_, pending_read_.purpose);
  card_->wait_until(pending_read_.done_ns);
}

bool SimDevice::do_begin_append(std::span<const u8> blocks, Purpose purpose, Status& result) {
  pending_append_ = {card_->write(file_, size_bytes(), blocks.size()), purpose, &result};
  append_blocks_ = blocks;
  return true;
}

void SimDevice::do_finish_append() {
  *pending_append_.result = below_->append(append_blocks_, pending_append_.purpose);
  card_->wait_until(pending_append_.done_ns);
}

Status SimDevice::do_sync() {
  XMC_TRY(below_->sync());
  card_->wait_until(card_->sync());
  return {};
}

Result<bool> SimDevice::do_discard(u64 offset, u64 bytes) {
  XMC_TRY(below_->discard(offset, bytes));
  card_->drop(file_, offset, offset + bytes);
  return true;
}

Status SimDevice::do_truncate(u64 bytes) {
  XMC_TRY(below_->truncate(bytes));
  card_->drop(file_, bytes, kEverything);
  return {};
}

Result<DeviceBase*> SimFolder::do_open(u32 slot, const char* name, Open how) {
  XMC_LET(Device* const below, below_->open(name, how));
  const u64 file = number_of(name);
  if (how == Open::create) card_.drop(file, 0, kEverything);
  return static_cast<DeviceBase*>(devices_.make(slot, use_, name, card_, file, *below));
}

void SimFolder::do_close(u32 slot) { below_->close(&devices_.at(slot).below()); }

Status SimFolder::do_remove(const char* name) {
  XMC_TRY(below_->remove(name));
  card_.drop(number_of(name), 0, kEverything);
  return {};
}

Status SimFolder::do_replace(const char* name, std::span<const u8> contents) {
  XMC_TRY(below_->replace(name, contents));
  const u64 bytes = round_up(contents.size(), kBlockBytes);
  card_.write(kLogFile, log_bytes_, bytes);
  log_bytes_ += bytes;
  card_.sync();
  card_.wait_until(card_.sync());
  return {};
}

Result<u64> SimFolder::do_load(const char* name, std::span<u8> into) {
  const Result<u64> bytes = below_->load(name, into);
  if (bytes.ok()) card_.wait_until(card_.read(1, round_up(bytes.value(), kBlockBytes)));
  return bytes;
}

}  // namespace xmc
