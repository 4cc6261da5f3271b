#include "cli/run/work/rests.h"

namespace xmc {

void Rests::start(const Options& options, u64 now_ns) {
  duty_percent_ = options.number(Opt::duty);
  if (options.given(Opt::temp_max)) hottest_ = static_cast<int>(options.number(Opt::temp_max));
  pause_on_battery_ = options.text(Opt::on_battery) == "pause";
  worked_from_ns_ = now_ns;
}

Rests::Why Rests::look(u64 now_ns) {
  if (hottest_ == 0 && !pause_on_battery_) return Why::none;
  if (now_ns < next_look_ns_) return seen_;
  next_look_ns_ = now_ns + kLookEvery;
  const int limit = seen_ == Why::heat ? hottest_ - kRelief : hottest_;
  const bool hot = hottest_ != 0 && sensors_.hottest_celsius() >= limit;
  const bool battery = pause_on_battery_ && sensors_.on_battery();
  seen_ = battery ? Why::battery : hot ? Why::heat : Why::none;
  return seen_;
}

Rests::Rest Rests::due(u64 now_ns) {
  const Why seen = look(now_ns);
  const u64 worked = now_ns - worked_from_ns_;
  if (!resting_ && duty_percent_ < 100 && worked >= kWorkedAtLeast) {
    rest_end_ns_ = now_ns + worked * (100 - duty_percent_) / duty_percent_;
  }
  const bool duty = now_ns < rest_end_ns_;
  if (seen == Why::none && !duty) {
    if (resting_) {
      rested_ns_ += now_ns - rest_from_ns_;
      worked_from_ns_ = now_ns;
    }
    resting_ = false;
    return {};
  }
  if (!resting_) rest_from_ns_ = now_ns;
  resting_ = true;
  if (seen != Why::none) return {seen, next_look_ns_ - now_ns};
  return {Why::duty, rest_end_ns_ - now_ns};
}

const char* name_of(Rests::Why why) {
  switch (why) {
    case Rests::Why::heat:
      return "the machine is too hot (--temp-max)";
    case Rests::Why::battery:
      return "there is no mains power (--on-battery)";
    default:
      return "";
  }
}

}  // namespace xmc
