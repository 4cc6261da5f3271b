// The begin and finish calls of DeviceBase. A transfer is open from begin to finish for its caller,
// and running for as long as the backend may be at work on it: a call in between that needs the
// device to itself ends the running, and leaves the answer of a read for the one who began it.
#include "platform/device_base.h"
#include "xmc/check.h"

namespace xmc {

bool DeviceBase::do_begin_read(std::span<const ReadRequest>, Purpose, Status&) { return false; }

bool DeviceBase::do_begin_append(std::span<const u8>, Purpose, Status&) { return false; }

void DeviceBase::wait_for_read() {
  if (!reading_.running) return;
  const u64 start_ns = now_ns();
  do_finish_read();
  counters_.wait_ns += now_ns() - start_ns;
  reading_.running = false;
}

Status DeviceBase::settle() {
  wait_for_read();
  return finish_append();
}

Status DeviceBase::begin_read(const ReadRequest& request, Purpose purpose) {
  XMC_TRY(finish_read());
  if (request.into.empty()) return check_read(request);
  alone_ = request;
  return begin_reads({&alone_, 1}, purpose);
}

Status DeviceBase::begin_reads(std::span<const ReadRequest> batch, Purpose purpose) {
  XMC_TRY(finish_read());
  if (batch.empty()) return {};
  for (const ReadRequest& request : batch) {
    XMC_TRY(check_read(request));
    if (appending_.open && request.offset + request.into.size() > appending_.offset)
      XMC_TRY(finish_append());
  }
  for (const ReadRequest& request : batch) {
    count_read(request, counters_.by_purpose[static_cast<u32>(purpose)]);
  }
  reading_ = {};
  reading_.open = true;
  const u64 start_ns = now_ns();
  reading_.running = do_begin_read(batch, purpose, reading_.result);
  if (!reading_.running) {
    // What is done here and now has the device to itself.
    if (appending_.running) do_finish_append();
    appending_.running = false;
    reading_.result = do_read(batch, purpose);
  }
  counters_.wait_ns += now_ns() - start_ns;
  return {};
}

Status DeviceBase::finish_read() {
  wait_for_read();
  if (!reading_.open) return {};
  reading_.open = false;
  return reading_.result;
}

Status DeviceBase::begin_append(std::span<const u8> blocks, Purpose purpose) {
  check_append(blocks);
  XMC_TRY(finish_append());
  if (blocks.empty()) return {};
  XMC_TRY(check_writable());
  appending_ = {true, false, size_bytes_, blocks.size(), {}};
  const u64 start_ns = now_ns();
  appending_.running = do_begin_append(blocks, purpose, appending_.result);
  if (!appending_.running) {
    if (reading_.running) do_finish_read();
    reading_.running = false;
    appending_.result = do_append(blocks, purpose);
  }
  counters_.wait_ns += now_ns() - start_ns;
  count_append(blocks.size(), purpose);
  return {};
}

Status DeviceBase::finish_append() {
  if (!appending_.open) return {};
  if (appending_.running) {
    const u64 start_ns = now_ns();
    do_finish_append();
    counters_.wait_ns += now_ns() - start_ns;
  }
  appending_.open = false;
  appending_.running = false;
  if (appending_.result.ok()) return {};
  XMC_CHECK(size_bytes_ == appending_.offset + appending_.bytes);
  size_bytes_ = appending_.offset;
  use_->shrink(appending_.bytes);
  append_failed_ = true;
  return appending_.result;
}

}  // namespace xmc
