#include "engine/measure/device_probe.h"

#include <algorithm>
#include <bit>

#include "xmc/bytes.h"
#include "xmc/check.h"

namespace xmc {
namespace {

constexpr u32 kSizes = 3;  // of requests, four times as large each
constexpr u32 kSamples = 64;
constexpr u64 kRandomBytes = kPageBytes;
constexpr u32 kRandomLeast = 8;

// splitmix64: places and contents without a pattern.
u64 scatter(u64 x) {
  x *= 0x9E37'79B9'7F4A'7C15;
  x = (x ^ (x >> 30)) * 0xBF58'476D'1CE4'E5B9;
  x = (x ^ (x >> 27)) * 0x94D0'49BB'1331'11EB;
  return x ^ (x >> 31);
}

// The times of requests of one size, in order.
class Samples {
 public:
  void add(u64 ns) {
    XMC_CHECK(count_ < kSamples);
    u32 at = count_++;
    for (; at > 0 && ns_[at - 1] > ns; --at) ns_[at] = ns_[at - 1];
    ns_[at] = ns;
  }
  u32 count() const { return count_; }
  u64 median() const {
    XMC_CHECK(count_ > 0);
    const u64 lower = ns_[(count_ - 1) / 2];
    return lower + (ns_[count_ / 2] - lower) / 2;
  }

 private:
  u64 ns_[kSamples];
  u32 count_ = 0;
};

class Probe {
 public:
  Probe(Device& device, const ProbeClock& clock, std::span<u8> buffer, const ProbeLimits& limits)
      : device_(&device), clock_(&clock), buffer_(buffer), limits_(limits) {}

  Status run(DeviceCost& cost) {
    CostLine line;
    u64 largest = std::min<u64>(buffer_.size(), limits_.append_bytes);
    XMC_TRY(line_of(&Probe::append, largest, limits_.time_ns / 2, line));
    cost.write_ns_per_byte = line.ns_per_byte;
    cost.write_offset_ns = line.offset_ns;
    // Two sizes have to fit what a slow device has written.
    largest = buffer_.size();
    while (bytes_of(1, largest) > device_->size_bytes()) largest /= 4;
    XMC_TRY(line_of(&Probe::scan, largest, limits_.time_ns / 4, line));
    cost.scan_ns_per_byte = line.ns_per_byte;
    cost.scan_offset_ns = line.offset_ns;
    XMC_TRY(read_at_random(limits_.time_ns / 4, cost.random_read_ns));
    cost.measured = true;
    return {};
  }

 private:
  // What one request took: the transfer, and the sync of a write.
  struct Took {
    u64 transfer_ns = 0;
    u64 sync_ns = 0;
  };
  // `done` is false when the file has no room for the request.
  using Request = Status (Probe::*)(u64 bytes, Took& took, bool& done);

  u64 now_ns() const { return clock_->now_ns(clock_->self); }
  static u64 bytes_of(u32 size, u64 largest) { return largest >> (2 * (kSizes - 1 - size)); }
  std::span<u8> first(u64 bytes) { return buffer_.first(static_cast<std::size_t>(bytes)); }

  Status append(u64 bytes, Took& took, bool& done) {
    done = device_->size_bytes() + bytes <= limits_.file_bytes;
    if (!done) return {};
    const u64 start_ns = now_ns();
    XMC_TRY(device_->append(first(bytes), Purpose::other));
    const u64 appended_ns = now_ns();
    XMC_TRY(device_->sync());
    took = {appended_ns - start_ns, now_ns() - appended_ns};
    return {};
  }

  Status scan(u64 bytes, Took& took, bool& done) {
    if (next_ + bytes > device_->size_bytes()) next_ = 0;
    done = next_ + bytes <= device_->size_bytes();
    if (!done) return {};
    const ReadRequest request = {next_, first(bytes)};
    next_ += bytes;
    const u64 start_ns = now_ns();
    XMC_TRY(device_->read({&request, 1}, Purpose::other));
    took = {now_ns() - start_ns, 0};
    return {};
  }

  Status line_of(Request request, u64 largest, u64 time_ns, CostLine& line);
  Status read_at_random(u64 time_ns, double& ns);

  Device* device_;
  const ProbeClock* clock_;
  std::span<u8> buffer_;
  ProbeLimits limits_;
  u64 next_ = 0;  // where the scan is
};

// The sync of a journaling file system takes milliseconds and varies; fitted together with it, a
// fast device's transfer would drown. Through a page cache it is the sync that moves the data. So
// there is a line for each, and their sum is the cost.
Status Probe::line_of(Request request, u64 largest, u64 time_ns, CostLine& line) {
  Samples transfers[kSizes];
  Samples syncs[kSizes];
  u64 took_ns[kSizes] = {};
  const u64 start_ns = now_ns();
  for (u32 i = 0; i < kSizes * kSamples; ++i) {
    const u32 size = i % kSizes;
    // Two sizes make a line. The largest one is tried only where it cannot take far too long.
    const u64 expected_ns = i < kSizes ? 4 * took_ns[i > 0 ? i - 1 : 0] : took_ns[size];
    if (i >= 2 && now_ns() - start_ns + expected_ns > time_ns + time_ns / 4) break;
    Took took;
    bool done = false;
    XMC_TRY((this->*request)(bytes_of(size, largest), took, done));
    if (!done) break;
    transfers[size].add(took.transfer_ns);
    syncs[size].add(took.sync_ns);
    took_ns[size] = took.transfer_ns + took.sync_ns;
  }
  CostPoint transfer_points[kSizes];
  CostPoint sync_points[kSizes];
  u32 count = 0;
  for (u32 size = 0; size < kSizes && transfers[size].count() > 0; ++size) {
    transfer_points[count] = {bytes_of(size, largest), transfers[size].median()};
    sync_points[count++] = {bytes_of(size, largest), syncs[size].median()};
  }
  if (count < 2) return Status::fail(Code::budget, "too little room to measure the device");
  const CostLine transfer = fit_line({transfer_points, count});
  const CostLine sync = fit_line({sync_points, count});
  line = {transfer.offset_ns + sync.offset_ns, transfer.ns_per_byte + sync.ns_per_byte};
  return {};
}

Status Probe::read_at_random(u64 time_ns, double& ns) {
  Samples samples;
  const u64 start_ns = now_ns();
  const u64 blocks = device_->size_bytes() / kRandomBytes;
  XMC_CHECK(blocks > 0);
  for (u32 i = 0; i < kSamples; ++i) {
    const u64 before_ns = now_ns();
    if (i >= kRandomLeast && before_ns - start_ns > time_ns) break;
    const ReadRequest request = {scatter(i + 1) % blocks * kRandomBytes, first(kRandomBytes)};
    XMC_TRY(device_->read({&request, 1}, Purpose::other));
    samples.add(now_ns() - before_ns);
  }
  ns = static_cast<double>(samples.median());
  return {};
}

}  // namespace

CostLine fit_line(std::span<const CostPoint> points) {
  XMC_CHECK(!points.empty());
  double sum = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (const CostPoint& point : points) {
    const double x = static_cast<double>(point.bytes);
    const double y = static_cast<double>(point.ns > 0 ? point.ns : 1);
    const double weight = 1 / (y * y);
    sum += weight;
    sum_x += weight * x;
    sum_y += weight * y;
    sum_xx += weight * x * x;
    sum_xy += weight * x * y;
  }
  CostLine line;
  const double determinant = sum * sum_xx - sum_x * sum_x;
  if (determinant > 0) line.ns_per_byte = (sum * sum_xy - sum_x * sum_y) / determinant;
  line.ns_per_byte = std::max(line.ns_per_byte, 0.0);
  line.offset_ns = (sum_y - line.ns_per_byte * sum_x) / sum;
  if (line.offset_ns < 0) {  // the line through the origin fits best then
    line.offset_ns = 0;
    line.ns_per_byte = sum_xy / sum_xx;
  }
  return line;
}

Result<DeviceCost> probe_device(Folder& folder, const ProbeClock& clock, std::span<u8> buffer,
                                const ProbeLimits& limits) {
  XMC_CHECK(buffer.size() >= kProbeBufferLeast);
  XMC_CHECK(std::has_single_bit(buffer.size()));
  // Devices that compress must not gain from it.
  for (std::size_t i = 0; i < buffer.size(); i += 8)
    store_le<u64>(buffer.data() + i, scatter(i + 1));
  XMC_LET(Device* const device, folder.open(kProbeDataFile, Folder::Open::create));
  DeviceCost cost;
  Probe probe(*device, clock, buffer, limits);
  const Status status = probe.run(cost);
  folder.close(device);
  const Status removed = folder.remove(kProbeDataFile);
  if (!status.ok()) return status;
  if (!removed.ok()) return removed;
  return cost;
}

}  // namespace xmc
