#include "store/checkpoint/manifest.h"

#include <doctest/doctest.h>

#include <string>

using namespace xmc;

namespace manifest_test {

TEST_CASE("lines come back as they were added") {
  Manifest manifest;
  manifest.add("states", 0);
  manifest.add("most", ~u64{0});
  manifest.add_text("model", "a name with blanks.dve");
  manifest.add_text("nothing", "");
  manifest.add_text("broken", "a\nb");
  const Word words[] = {0, ~Word{0}, 0x1234};
  manifest.add_words("key", words);
  manifest.add_words("none", {});
  manifest.add_file("queue", 65536, 0xABC);
  manifest.add_file("runs.3", 0, 0);
  Manifest again;
  REQUIRE(again.assign(manifest.text()));
  CHECK(again.text() == manifest.text());
  for (const Manifest* m : {&manifest, &again}) {
    CHECK(m->number("states").value() == 0);
    CHECK(m->number("most").value() == ~u64{0});
    CHECK(m->value("model").value() == "a name with blanks.dve");
    CHECK(m->value("nothing").value() == "");
    CHECK(m->value("broken").value() == "a b");
    CHECK(m->has("nothing"));
    CHECK_FALSE(m->has("mode"));
    CHECK_FALSE(m->has("model "));
    Word got[3] = {};
    CHECK(m->words("key", got).ok());
    CHECK(std::equal(got, got + 3, words));
    CHECK(m->words("none", {}).ok());
    Manifest::File file;
    REQUIRE(m->file(0, file));
    CHECK(file.name == "queue");
    CHECK(file.bytes == 65536);
    CHECK(file.chain == 0xABC);
    REQUIRE(m->file(1, file));
    CHECK(file.name == "runs.3");
    CHECK_FALSE(m->file(2, file));
  }
}

TEST_CASE("missing and malformed lines are damage that is named") {
  Manifest manifest;
  REQUIRE(manifest.assign("a 12x\nb 18446744073709551616\nc 1 2\nd -1\ne \nfile queue\n"));
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
    const Result<u64> number = manifest.number(name);
    CHECK(number.status().code() == Code::corrupt);
    CHECK(std::string(number.status().message()).find(std::string("'") + name + "'") !=
          std::string::npos);
  }
  Word words[3];
  CHECK(manifest.words("c", {words, 2}).ok());
  CHECK_FALSE(manifest.words("c", {words, 1}).ok());
  CHECK_FALSE(manifest.words("c", words).ok());
  CHECK_FALSE(manifest.value("f").ok());
  Manifest::File file;
  REQUIRE(manifest.file(0, file));
  CHECK(file.bytes == ~u64{0});  // no device has that
}

TEST_CASE("only lines are taken") {
  Manifest manifest;
  CHECK(manifest.assign(""));
  for (const char* text : {"a", "a 1", "a\n", "\n", " 1\n", "a 1\n\n", "a 1\nb", "a\tb 1\n"}) {
    CAPTURE(text);
    CHECK_FALSE(manifest.assign(text));
    CHECK(manifest.text() == "");
  }
  CHECK_FALSE(manifest.assign("a " + std::string(Manifest::kMostBytes, 'x') + "\n"));
  CHECK(manifest.assign("a " + std::string(Manifest::kMostBytes - 3, 'x') + "\n"));
}

}  // namespace manifest_test
