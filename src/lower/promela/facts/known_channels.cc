// Numbers of channels. Processes end in the opposite order in which they begin, and their channels
// with them, so that the channels of a process have the numbers behind those of all lower pids.
#include <algorithm>

#include "lower/promela/facts/known.h"
#include "xmc/bytes.h"

namespace xmc::promela {

void Known::find_channels() {
  if (!channels_stale) return;
  channels_stale = false;
  fill_zero(forms);
  std::fill(below.begin(), below.end(), Numbers{});
  channels = 0;
  may_exceed_channels = false;
  u32 number = 0;
  for (u32 i = 0; i < s.global_initials.size(); ++i) {
    const Initial& one = s.global_initials[i];
    if (one.value != kNone || number == limits::kPromelaNumbers) continue;
    forms[++number * form_count + one.channel] = 1;
  }
  static_channels = number;
  channels = number;
  below[0].add(number);
  for (u32 i = 0; i < limits::kPromelaNumbers * type_count; ++i) {
    const u32 slot = i / type_count;
    const Instance* one = find(slot, i % type_count);
    if (one == nullptr || !life(*one).exists) continue;
    const Proctype& type = s.proctypes[one->type];
    for (u32 n = below[slot].next(0); n != kNone; n = below[slot].next(n + 1)) {
      u32 at = n;
      for (u32 j = 0; j < type.initial_count; ++j) {
        const Initial& made = s.local_initials[type.first_initial + j];
        if (made.value != kNone) continue;
        if (at == limits::kPromelaNumbers) may_exceed_channels = true;
        if (at == limits::kPromelaNumbers) break;
        forms[++at * form_count + made.channel] = 1;
      }
      channels = std::max(channels, at);
      below[slot + 1].add(at);
    }
  }
}

}  // namespace xmc::promela
