// What a message sequence chart shows: a trace as events on lifelines, one for each process that
// takes part.
//
// A rendezvous is one event of two processes. On a channel with a buffer, a message that is in it
// behind a step and was not before has been sent by the process of that step, one that is no longer
// there has been received by it; each message remembers meanwhile who sent it and where. So the
// memory for that is what channels can hold, whatever the length of the trace, and charts are
// written while the trace is walked.
#pragma once

#include <span>
#include <string_view>

#include "trace/trace_view.h"
#include "xmc/arena.h"

namespace xmc {

// Lifelines, where further processes share the last one; and rows of a picture, which has the last
// ones of a longer trace. Nobody reads wider or longer ones.
inline constexpr u32 kChartLifelines = 64;
inline constexpr u32 kChartRows = 5000;

// A message on its way.
struct ChartMessage {
  u64 number = 0;  // in order of sending, from 1
  u64 step = 0;
  u64 row = 0;  // as ChartSink::sent() says
  u32 process = kNone;
};

// Carved at plan time, where a chart is asked for.
struct ChartMemory {
  std::span<ChartMessage> waiting;  // channel by channel, as many as it can hold
  std::span<ChartMessage> before;   // those of one channel
  std::span<u32> kept;              // which of them each message is
  std::span<u32> lifelines;         // by process; the last one is of steps without a process
  std::span<Word> inside;           // the state between two statements of a step
};
ChartMemory plan_chart(const ModelText& text, u32 state_words, Arena& arena);

// Told what happens, in this order. Processes are indexes of ModelText::processes, or their number
// for what has none.
class ChartSink {
 public:
  virtual void step(u64 index) = 0;  // what follows belongs to it; 0 is the first state
  virtual void local(u32 process, std::string_view text) = 0;
  virtual void rendezvous(u32 from, u32 to, std::string_view label) = 0;
  virtual u64 sent(u32 process, u64 number, std::string_view label) = 0;
  virtual void received(u32 process, const ChartMessage& message, std::string_view label) = 0;
  // Still in its channel at the end, or with a channel that is gone.
  virtual void left(const ChartMessage& message, std::string_view channel,
                    std::string_view label) = 0;
  virtual void loop_start(u64 index) = 0;
  virtual void loop_end(u64 index, u64 start) = 0;
  virtual void note(std::string_view text) = 0;

 protected:
  ~ChartSink() = default;
};

Status walk_chart(const TraceView& view, ChartSink& sink);

// How large a chart becomes: found in a walk before the one that writes.
struct ChartSize {
  u64 rows = 0;
  u32 lifelines = 0;
  u32 label_bytes = 0;  // of the longest message
  u32 name_bytes = 0;
  u32 others = 0;  // processes that share the last lifeline
};
// Fills ChartMemory::lifelines: kNone for a process that takes no part.
Status measure_chart(const TraceView& view, ChartSize& size);
// Names of lifelines, in their order.
template <class Use>
void each_lifeline(const TraceView& view, const ChartSize& size, Use use) {
  for (u32 i = 0, next = 0; i < view.chart->lifelines.size() && next < size.lifelines; ++i) {
    if (view.chart->lifelines[i] != next) continue;
    const bool many = size.others != 0 && next + 1 == size.lifelines;
    const bool named = i < view.text->processes.size();
    use(next++, many ? "(others)" : named ? view.text->processes[i] : "(model)");
  }
}

inline constexpr u32 kChartLabelBytes = 160;

}  // namespace xmc
