#include "report/end_forecast.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace xmc;

namespace end_forecast_test {

namespace {

// Level sizes of BEEM models, from two levels before the widest pair on.
struct Recorded {
  const char* model;
  std::vector<u64> sizes;
};

const Recorded kRecorded[] = {
    {"adding.3", {130067, 115737, 142962, 153189, 109176, 127904, 127612, 76354, 87340, 83332,
                  44360,  49804,  45308,  20878,  22970,  19800,  7402,   7806,  6202,  1624,
                  1578,   1162,   384,    334,    206,    46,     34,     16}},
    {"at.3", {85668, 93364, 98792, 98424, 94772, 87768, 77308, 65432, 53196, 39948, 29004,
              22476, 17808, 14292, 12684, 13572, 14640, 14700, 13872, 14772, 15696, 14676,
              13044, 10032, 7044,  4704,  3264,  2628,  2160,  2132,  2468,  2176,  1284,
              1004,  1156,  1168,  1120,  924,   760,   444,   108}},
    {"cambridge.5",
     {12438, 12442, 12591, 12472, 12531, 12361, 12358, 12141, 12126, 11812, 11632, 11260, 11021,
      10623, 10394, 9992,  9719,  9277,  9019,  8542,  8418,  8142,  8009,  7726,  7594,  7366,
      7319,  7167,  7181,  7077,  6993,  6812,  6718,  6607,  6548,  6440,  6354,  6231,  6079,
      5928,  5801,  5731,  5630,  5532,  5369,  5245,  5069,  4965,  4837,  4786,  4640,  4522,
      4330,  4216,  4080,  4010,  3868,  3783,  3619,  3478,  3334,  3245,  3130,  3031,  2898,
      2754,  2629,  2512,  2416,  2300,  2207,  2065,  1966,  1838,  1768,  1642,  1578,  1446,
      1379,  1255,  1214,  1094,  1048,  939,   904,   800,   769,   677,   658,   572,   553,
      474,   459,   390,   382,   325,   323,   263,   256,   209,   209,   171,   171,   137,
      137,   108,   106,   82,    84,    65,    67,    52,    53,    37,    36,    26,    28,
      22,    23,    16,    16,    9,     9,     6,     7,     6,     6,     3,     3,     1,
      1,     1,     1,     1,     1}},
    {"exit.5",
     {69568, 85433, 97143, 101188, 94669, 80616, 63370, 44194, 26784, 14633, 6972, 2774, 770, 45}},
    {"lamport.2", {3071, 3121, 3151, 3151, 2852, 2464, 2215, 2157, 2114, 2116, 2087, 2004,
                   1962, 1912, 1742, 1561, 1306, 1025, 891,  838,  780,  732,  674,  596,
                   475,  385,  321,  242,  141,  84,   69,   57,   39,   33,   18,   12}},
    {"leader_election.4",
     {20875, 21112, 21255, 21289, 21216, 21047, 20800, 20485, 20098, 19633, 19094, 18503, 17896,
      17298, 16705, 16075, 15347, 14479, 13472, 12371, 11244, 10151, 9126,  8177,  7297,  6480,
      5725,  5036,  4415,  3864,  3382,  2969,  2617,  2316,  2054,  1818,  1601,  1399,  1213,
      1048,  907,   791,   697,   619,   552,   492,   437,   387,   342,   302,   267,   236,
      209,   186,   167,   152,   140,   130,   121,   114,   108,   103,   99,    94,    90,
      87,    85,    84,    82,    79,    75,    70,    65,    60,    55,    51,    47,    43,
      39,    34,    30,    27,    25,    24,    22,    19,    15,    10,    6,     3,     1}},
    {"mcs.3", {20594, 21087, 20568, 21163, 20095, 19306, 18148, 15679, 14904, 14361, 13230,
               12462, 10800, 10590, 9057,  6960,  5811,  5257,  4864,  3394,  2536,  2536,
               2040,  1620,  780,   672,   672,   204,   204,   204,   204,   204}},
    {"peterson.3", {10726, 11341, 11661, 11647, 11268, 10508, 9409, 8079, 6674, 5332, 4141,
                    3127,  2285,  1604,  1076,  687,   411,   223,  103,  37,   9,    1}},
    {"szymanski.3",
     {33815, 34669, 35134, 35229, 35005, 34536, 33905, 33215, 32475, 31690, 30870, 29973,
      28967, 27832, 26556, 25169, 23703, 22191, 20616, 18981, 17324, 15711, 14162, 12676,
      11252, 9924,  8740,  7708,  6832,  6075,  5473,  4989,  4579,  4208,  3862,  3547,
      3242,  2948,  2657,  2388,  2155,  1946,  1760,  1579,  1424,  1272,  1144,  1025,
      926,   835,   743,   659,   592,   531,   466,   404,   343,   284,   234,   191,
      153,   120,   91,    66,    46,    31,    19,    10,    4,     1}},
    {"telephony.3", {30051, 32468, 33732, 33373, 32743, 32246, 31545, 30611, 30031, 29454,
                     27826, 25678, 24229, 23573, 22242, 20176, 17975, 16311, 14846, 12470,
                     10318, 9179,  8504,  7293,  5766,  4809,  4581,  4252,  3635,  3082,
                     2720,  2435,  1917,  1399,  1047,  812,   538,   230,   66,    18}},
};

struct Played {
  u64 moments = 0;
  u64 inside = 0;
  std::vector<double> widths;
};

// Every end of a level at which something is said, but for the last five hundredth of the states.
Played play(const std::vector<u64>& sizes) {
  const u64 all = std::accumulate(sizes.begin(), sizes.end(), u64{0});
  EndForecast forecast;
  Played played;
  u64 expanded = 0;
  for (const u64 size : sizes) {
    expanded += size;
    forecast.note_level(size, expanded);
    const EndForecast::Range range = forecast.left(expanded);
    const double left = static_cast<double>(all - expanded);
    if (!range.known() || left < static_cast<double>(all) / 500) continue;
    ++played.moments;
    if (range.low <= left && left <= range.high) ++played.inside;
    played.widths.push_back(range.high / range.low);
  }
  return played;
}

}  // namespace

TEST_CASE("recorded searches: the truth is within the range, which is not wide") {
  Played all;
  for (const Recorded& recorded : kRecorded) {
    const Played played = play(recorded.sizes);
    INFO(recorded.model, ": ", played.inside, " of ", played.moments);
    CHECK(played.moments >= 4);
    CHECK(2 * played.inside >= played.moments);
    all.moments += played.moments;
    all.inside += played.inside;
    all.widths.insert(all.widths.end(), played.widths.begin(), played.widths.end());
  }
  std::sort(all.widths.begin(), all.widths.end());
  INFO(all.inside, " of ", all.moments, ", ", all.widths[all.widths.size() / 2]);
  CHECK(100 * all.inside >= 85 * all.moments);
  CHECK(all.widths[all.widths.size() / 2] < 6);
  CHECK(all.widths.back() <= 12);
}

TEST_CASE("nothing is said while levels grow, nor when two of them happen to be small") {
  EndForecast forecast;
  u64 expanded = 0;
  // Even levels are the larger ones; in pairs they grow.
  for (const u64 size : {1000u, 500u, 4000u, 2000u, 16000u, 8000u}) {
    forecast.note_level(size, expanded += size);
    CHECK_FALSE(forecast.shrinking());
  }
  forecast.note_level(4000, expanded += 4000);
  CHECK(forecast.shrinking());
  CHECK_FALSE(forecast.left(expanded).known());
  forecast.note_level(2000, expanded += 2000);
  CHECK_FALSE(forecast.left(expanded).known());
  for (const u64 size : {1000u, 500u, 250u, 125u}) forecast.note_level(size, expanded += size);
  // 125 are left if each is half of the one before.
  const EndForecast::Range range = forecast.left(expanded);
  CHECK(range.low > 10);
  CHECK(range.low < 125);
  CHECK(range.high > 125);
  CHECK(range.high < 600);
  forecast.note_level(90'000, expanded += 90'000);
  CHECK_FALSE(forecast.shrinking());
  CHECK_FALSE(forecast.left(expanded).known());
}

TEST_CASE("inside a level the range moves with what is done, and ends where it proves wrong") {
  EndForecast forecast;
  u64 expanded = 0;
  for (const u64 size : {100u, 400u, 800u, 700u, 500u, 300u, 170u, 90u}) {
    forecast.note_level(size, expanded += size);
  }
  const EndForecast::Range at_end = forecast.left(expanded);
  CHECK(at_end.known());
  const EndForecast::Range later = forecast.left(expanded + 10);
  CHECK(later.low == doctest::Approx(at_end.low - 10));
  CHECK(later.high == doctest::Approx(at_end.high - 10));
  CHECK(forecast.left(expanded + static_cast<u64>(at_end.low) + 1).low == 0);
  CHECK_FALSE(forecast.left(expanded + static_cast<u64>(at_end.high) + 1).known());
}

TEST_CASE("levels that hardly shrink, and empty ones, say nothing") {
  EndForecast flat;
  u64 expanded = 0;
  for (u64 size = 1'000'000; size > 999'980; --size) flat.note_level(size, expanded += size);
  CHECK(flat.shrinking());
  CHECK_FALSE(flat.left(expanded).known());
  EndForecast empty;
  for (const u64 size : {9u, 9u, 9u, 0u, 0u, 0u, 0u, 0u}) {
    empty.note_level(size, 27);
    CHECK_FALSE(empty.left(27).known());
  }
}

TEST_CASE("seconds: the rate of the run, and of levels that took a while") {
  const auto play_times = [](double each_of_the_last) {
    EndForecast forecast;
    u64 expanded = 0;
    double seconds = 0;
    for (const u64 size : {100u, 400u, 800u, 700u, 500u, 300u, 170u, 90u}) {
      seconds += size < 200 && expanded > 500 ? each_of_the_last : static_cast<double>(size) / 100;
      forecast.note_level(size, expanded += size, seconds);
    }
    const EndForecast::Range left = forecast.left(expanded);
    const EndForecast::Range range = forecast.seconds_left(expanded, 0, seconds);
    const double always = static_cast<double>(expanded) / seconds;
    CHECK(range.low == doctest::Approx(left.low / always).epsilon(0.3));
    return range.high / (left.high / always);
  };
  // Two levels that took long: the pessimist believes that it goes on like this.
  CHECK(play_times(8) > 2);
  // Two that took nothing say nothing.
  CHECK(play_times(0.01) == doctest::Approx(1).epsilon(0.3));
  EndForecast none;
  CHECK_FALSE(none.seconds_left(100, 0, 1).known());
}

}  // namespace end_forecast_test
