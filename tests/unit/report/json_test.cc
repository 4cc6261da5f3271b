#include "report/json.h"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "report/result_json.h"
#include "report/verdict.h"
#include "sample.h"

using namespace xmc;

namespace json_test {

using nlohmann::json;

namespace {

json parse(const std::string& text) { return json::parse(text, nullptr, false); }

std::string in_quotes(std::string_view text) {
  sample::StringOutput out;
  JsonWriter(out).string(text);
  return out.take();
}

}  // namespace

TEST_CASE("values and structure") {
  sample::StringOutput out;
  JsonWriter writer(out);
  writer.begin_object();
  writer.key("a").number(~u64{0}).key("b").signed_number(-5).key("c").real(1.5, 3);
  writer.line_break().key("d").begin_array().boolean(true).boolean(false).null().end_array();
  writer.key("e").begin_object().end_object().key("f").begin_array().end_array();
  writer.key("g").real(std::nan(""), 2);
  CHECK_FALSE(writer.done());
  writer.end_object();
  CHECK(writer.done());
  const std::string text = out.take();
  CHECK(text ==
        "{\"a\":18446744073709551615,\"b\":-5,\"c\":1.500,\n "
        "\"d\":[true,false,null],\"e\":{},\"f\":[],\"g\":null}");
  CHECK_FALSE(parse(text).is_discarded());
}

TEST_CASE("every ASCII character survives") {
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  const json back = parse(in_quotes(all));
  REQUIRE(back.is_string());
  CHECK(back.get<std::string>() == all);
}

TEST_CASE("UTF-8 stays, bytes that are not become U+FFFD") {
  CHECK(in_quotes("B\xC3\xBC"
                  "chi \xE2\x82\xAC \xF0\x9F\x92\xBE") ==
        "\"B\xC3\xBC"
        "chi \xE2\x82\xAC \xF0\x9F\x92\xBE\"");
  CHECK(in_quotes("\xFF") == "\"\\ufffd\"");
  CHECK(in_quotes("a\xC3") == "\"a\\ufffd\"");                      // cut
  CHECK(in_quotes("\xC0\x80") == "\"\\ufffd\\ufffd\"");             // overlong
  CHECK(in_quotes("\xED\xA0\x80") == "\"\\ufffd\\ufffd\\ufffd\"");  // surrogate
  CHECK(in_quotes("\xF4\x90\x80\x80") == "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const char bytes[] = {static_cast<char>(a), static_cast<char>(b), 'x'};
      CHECK_FALSE(parse(in_quotes({bytes, 3})).is_discarded());
    }
  }
}

TEST_CASE("the result has every key of the schema") {
  RunReport report;
  report.file = "dir/\"odd\".dve";
  report.language = "dve";
  report.state_bits = 68;
  report.property_kind = "deadlock";
  report.property_text = "no deadlock";
  report.verdict.answer_text = "violated";
  report.verdict.kind = "deadlock";
  report.verdict.exit = Exit::violated;
  report.outcome.violation = Violation::deadlock;
  report.outcome.prefix_steps = 87;
  report.outcome.minimal = true;
  report.outcome.stats.states = 1000;
  report.has_trace = true;
  report.replayed = true;
  report.engine = "ram";
  report.ram_limit = 33554432;
  report.growing_ram_bits = 12345;
  sample::StringOutput out;
  JsonWriter writer(out);
  const auto echo = [](void*, JsonWriter& w) { w.key("ram").number(5); };
  write_result_json(writer, report, {nullptr, echo});
  const json back = parse(out.take());
  REQUIRE(back.is_object());
  CHECK(back["schema"] == 1);
  CHECK(back["tool"]["name"] == "xmc-lite");
  CHECK(back["tool"]["target"].get<std::string>().ends_with("-linux"));
  CHECK(back["model"] ==
        json({{"file", "dir/\"odd\".dve"}, {"language", "dve"}, {"state_bits", 68}}));
  CHECK(back["property"]["kind"] == "deadlock");
  CHECK(back["verdict"] == "violated");
  CHECK(back["kind"] == "deadlock");
  CHECK(back["complete"] == false);
  CHECK(back["reason"].is_null());
  CHECK(back["exit"] == 1);
  CHECK(back["trace"] ==
        json({{"prefix", 87}, {"cycle", 0}, {"minimal", true}, {"replayed", true}}));
  for (const char* key : {"engine",
                          "states",
                          "transitions",
                          "levels",
                          "deadlocks",
                          "accepting",
                          "wall_s",
                          "cpu_s",
                          "ram_limit",
                          "ram_used",
                          "peak_rss",
                          "ram_bits_per_state",
                          "phf_bits_per_state",
                          "disk_peak",
                          "bytes_read",
                          "bytes_written",
                          "random_reads",
                          "syncs",
                          "expansions",
                          "search_us",
                          "generation_us",
                          "insertion_us",
                          "detection_us",
                          "queueing_us",
                          "partitioning_us",
                          "cycles_us",
                          "io_wait_us",
                          "rest_us",
                          "bytes_by_purpose",
                          "write_amplification",
                          "disk_bytes_per_state",
                          "disk_peak_bytes_per_state",
                          "checkpoints",
                          "resumes"}) {
    CAPTURE(key);
    CHECK(back["stats"].contains(key));
  }
  CHECK(back["stats"]["states"] == 1000);
  CHECK(back["stats"]["transitions"].is_null());
  CHECK(back["stats"]["ram_bits_per_state"] == 12.345);
  CHECK(back["stats"]["bytes_by_purpose"].is_null());
  CHECK(back["stats"]["write_amplification"].is_null());
  CHECK(back["stats"]["disk_bytes_per_state"].is_null());
  CHECK(back["options"]["ram"] == 5);
}

TEST_CASE("numbers beyond 64 bits are strings under keys of their own") {
  RunReport report;
  LargeFigures& large = report.outcome.large;
  large.states = ~u64{0};
  large.states.add(1);
  large.deadlocks.over = true;
  report.outcome.stats.transitions = 7;
  sample::StringOutput out;
  JsonWriter writer(out);
  write_result_json(writer, report, {});
  const json stats = parse(out.take())["stats"];
  CHECK(stats["states"].is_null());
  CHECK(stats["states_exact"] == "18446744073709551616");
  CHECK_FALSE(stats.contains("states_at_least"));
  CHECK(stats["deadlocks"].is_null());
  CHECK(stats["deadlocks_at_least"] == "2^512");
  CHECK_FALSE(stats.contains("deadlocks_exact"));
  CHECK(stats["transitions"] == 7);
  CHECK_FALSE(stats.contains("transitions_exact"));
}

TEST_CASE("bytes by purpose, per state, and in units of what has to be written") {
  RunReport report;
  report.outcome.stats.states = 1000;
  report.outcome.stats.payload_bytes = 8000;
  report.bytes_read = 30000;
  report.bytes_written = 12000;
  report.read_for[static_cast<u32>(Purpose::queue)] = 30000;
  report.written_for[static_cast<u32>(Purpose::queue)] = 8000;
  report.written_for[static_cast<u32>(Purpose::checkpoint)] = 4000;
  report.disk_peak = 9500;
  report.disk_final = 8500;
  sample::StringOutput out;
  JsonWriter writer(out);
  write_result_json(writer, report, {});
  const json stats = parse(out.take())["stats"];
  CHECK(stats["bytes_by_purpose"]["queue"] == json({{"read", 30000}, {"written", 8000}}));
  CHECK(stats["bytes_by_purpose"]["checkpoint"]["written"] == 4000);
  CHECK(stats["bytes_by_purpose"].size() == kPurposes);
  CHECK(stats["write_amplification"] == 1.5);
  CHECK(stats["disk_bytes_per_state"] == 8.5);
  CHECK(stats["disk_peak_bytes_per_state"] == 9.5);
}

TEST_CASE("an erroneous step counts in the length of the trace") {
  RunReport report;
  report.has_trace = true;
  report.outcome.violation = Violation::model_error;
  report.outcome.prefix_steps = 2;
  sample::StringOutput out;
  JsonWriter writer(out);
  write_result_json(writer, report, {});
  CHECK(parse(out.take())["trace"]["prefix"] == 3);
}

TEST_CASE("an output that fails keeps its first failure") {
  struct Broken {
    int calls = 0;
  } broken;
  char buffer[4];
  Output out(
      buffer,
      [](void* self, std::string_view) {
        return Status::fail(Code::io, "failure %d", ++static_cast<Broken*>(self)->calls);
      },
      &broken);
  out.add("0123456789").number(5).spaces(3);
  CHECK(out.flush().message() == "failure 1");
  CHECK(out.status().message() == "failure 1");
  CHECK(broken.calls == 1);
}

}  // namespace json_test
