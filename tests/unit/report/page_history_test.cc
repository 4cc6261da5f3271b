#include "report/page/history.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "sample.h"

using namespace xmc;

namespace page_history_test {

namespace {

History::Sample sample_at(u64 ms, u64 states) {
  History::Sample sample;
  sample.ms = ms;
  sample.states = states;
  return sample;
}

std::string text_of(const History& history) {
  sample::StringOutput out;
  history.save(out);
  return out.take();
}

double all_states(const History& history) {
  double sum = 0;
  for (u32 bin = 0; bin < history.level_bins(); ++bin) {
    const u64 left = history.levels() - bin * history.level_step();
    sum += history.level_states(bin) * static_cast<double>(std::min(left, history.level_step()));
  }
  return sum;
}

}  // namespace

TEST_CASE("levels are put together when there are too many, and none of their states is lost") {
  const auto history = std::make_unique<History>();
  history->start(1, 0);
  u64 states = 0;
  for (u64 level = 0; level < 3000; ++level) {
    history->add_level(level, level);
    states += level;
    CHECK(history->levels() == level + 1);
  }
  CHECK(history->level_step() == 8);
  CHECK(history->level_bins() == 375);
  CHECK(all_states(*history) == doctest::Approx(static_cast<double>(states)));
  CHECK(history->level_states(100) == doctest::Approx(803.5));  // levels 800 to 807
  // A search that begins again, and one that was not seen for a while.
  history->add_level(0, 7);
  CHECK(history->levels() == 1);
  CHECK(history->first_level() == 0);
  history->add_level(40, 7);
  CHECK(history->first_level() == 40);
  CHECK(history->levels() == 1);
}

TEST_CASE("samples get rarer, and go from the beginning to the end") {
  const auto history = std::make_unique<History>();
  history->start(1, 0);
  u64 taken = 0;
  for (u64 ms = 0; ms < 1'000'000; ms += 10) {
    if (!history->due(ms)) continue;
    history->add_sample(sample_at(ms, ms));
    ++taken;
  }
  const auto samples = history->samples();
  CHECK(samples.size() <= History::kSamples);
  CHECK(samples.size() >= History::kSamples / 2 - 1);
  CHECK(samples.front().ms < 20'000);
  CHECK(samples.back().ms > 980'000);
  CHECK(taken < 3000);
  for (std::size_t i = 1; i < samples.size(); ++i) CHECK(samples[i - 1].ms < samples[i].ms);
}

TEST_CASE("of many checkpoints some stay, of resumes all that fit") {
  const auto history = std::make_unique<History>();
  history->start(1, 0);
  for (u64 i = 0; i < 1000; ++i) {
    history->add_event(History::EventKind::checkpoint, i);
    if (i % 200 == 0) history->add_event(History::EventKind::resume, i);
  }
  u32 resumes = 0;
  for (const History::Event& event : history->events()) {
    if (event.kind == History::EventKind::resume) ++resumes;
  }
  CHECK(resumes == 5);
  CHECK(history->events().size() > History::kEvents / 2);
  for (u64 i = 0; i < 1000; ++i) history->add_event(History::EventKind::resume, i);
  CHECK(history->events().size() <= History::kEvents);
  CHECK(history->events().back().ms == 999);
}

TEST_CASE("a history is kept as text and comes back") {
  const auto history = std::make_unique<History>();
  history->start(77, 5);
  for (u64 level = 0; level < 1500; ++level) history->add_level(level, level * level);
  for (u64 i = 0; i < 100; ++i) history->add_sample(sample_at(i * 100, i));
  History::Sample last = sample_at(20'000, ~u64{0} - 1);
  last.left_low_ms = 3;
  last.left_high_ms = 9;
  history->add_sample(last);
  history->add_event(History::EventKind::checkpoint, 400);
  history->add_event(History::EventKind::resume, 500);
  const std::string text = text_of(*history);
  CHECK(text.size() < History::kTextBytes);

  const auto again = std::make_unique<History>();
  REQUIRE(again->load(text, 77));
  CHECK(text_of(*again) == text);
  CHECK(again->levels() == 1500);
  CHECK(again->known_from_ms() == 5);
  CHECK(again->samples().back().states == ~u64{0} - 1);
  CHECK_FALSE(again->due(20'010));
  again->add_level(1500, 1);
  CHECK(again->levels() == 1501);

  CHECK_FALSE(again->load(text, 78));  // of another run
  CHECK_FALSE(again->load("", 77));
  for (std::size_t at = 0; at < text.size(); at += 97) {
    std::string damaged = text;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    CHECK_FALSE(again->load(damaged, 77));
    CHECK_FALSE(again->load(std::string_view(text).substr(0, at), 77));
  }
}

TEST_CASE("the fullest history has room") {
  const auto history = std::make_unique<History>();
  history->start(~u64{0}, ~u64{0});
  for (u64 level = 0; level < History::kLevels; ++level) {
    history->add_level(level, ~u64{0} / 2048);
  }
  for (u32 i = 0; i < History::kSamples; ++i) {
    const u64 most = ~u64{0} - 1000;
    history->add_sample({most + i, most, most, most, most, most, most, most, most, most});
  }
  for (u32 i = 0; i < History::kEvents; ++i) {
    history->add_event(History::EventKind::resume, ~u64{0});
  }
  CHECK(text_of(*history).size() <= History::kTextBytes);
}

TEST_CASE("a run that goes on from a checkpoint forgets what came after it") {
  const auto history = std::make_unique<History>();
  history->start(1, 0);
  for (u64 level = 0; level < 20; ++level) history->add_level(level, 10);
  for (u64 i = 0; i < 100; ++i) history->add_sample(sample_at(i * 100, i));
  history->add_event(History::EventKind::checkpoint, 5000);
  history->add_event(History::EventKind::checkpoint, 8000);
  // 12 levels and 4 states of the next one.
  history->go_back({6050, 12, 124, true});
  CHECK(history->samples().back().ms == 6000);
  CHECK(history->events().size() == 1);
  CHECK(history->levels() == 12);
  history->add_level(12, 6);
  CHECK(history->level_states(12) == doctest::Approx(10));
  CHECK_FALSE(history->forecast().left(130).known());
  history->add_level(13, 6);
  CHECK(history->level_states(13) == doctest::Approx(6));
}

TEST_CASE("levels of earlier processes say something about the end") {
  const auto history = std::make_unique<History>();
  history->start(1, 0);
  u64 level = 0;
  u64 expanded = 0;
  EndForecast known;
  for (const u64 size : {100u, 400u, 800u, 700u, 500u, 300u, 170u, 90u}) {
    history->add_level(level++, size);
    known.note_level(size, expanded += size);
  }
  const auto again = std::make_unique<History>();
  REQUIRE(again->load(text_of(*history), 1));
  again->go_back({1000, level, expanded + 20, true});
  const EndForecast::Range range = again->forecast().left(expanded + 20);
  CHECK(range.known());
  CHECK(range.low == doctest::Approx(known.left(expanded + 20).low));
  CHECK(range.high == doctest::Approx(known.left(expanded + 20).high));
}

TEST_CASE(
    "levels that are put together are divided where a run goes back into the middle of them") {
  const auto history = std::make_unique<History>();
  history->start(1, 0);
  for (u64 level = 0; level < 1600; ++level) history->add_level(level, 10);
  CHECK(history->level_step() == 4);
  history->go_back({0, 1502, 15'025, true});
  CHECK(history->levels() == 1502);
  CHECK(history->first_level() == 0);
  history->add_level(1502, 10);
  CHECK(history->levels() == 1503);
  CHECK(history->level_states(375) == doctest::Approx(35.0 / 3));
  // At the end of a level the states say what is left.
  history->go_back({0, 1401, 14'017, false});
  CHECK(history->levels() == 1401);
  CHECK(history->level_states(350) == doctest::Approx(17));
  history->add_level(1401, 10);
  CHECK(history->level_states(350) == doctest::Approx(13.5));
}

}  // namespace page_history_test
