// JSON: what is read, what is written, and that every text either parses or is refused with its position.
#include "base/json.h"

#include <cmath>
#include <limits>
#include <random>

#include "base/utf8.h"
#include "check.h"

namespace {

using mixgrad::Json;
using mixgrad::parse_json;

std::string again(const std::string& text) { return parse_json(text, "test").dump(); }

void refuses(const std::string& text, const char* part) {
  CHECK_THROWS(parse_json(text, "test"), format, part);
}

// A random tree; the same engine gives the same tree.
Json random_tree(std::mt19937_64& rng, int depth) {
  switch (rng() % (depth > 4 ? 5 : 7)) {
    case 0: return Json();
    case 1: return Json(rng() % 2 == 0);
    case 2: return Json(static_cast<int64_t>(rng()));
    case 3: return Json(std::ldexp(static_cast<double>(rng()) - 9e18, static_cast<int>(rng() % 600) - 300));
    case 4: {
      std::string text;
      for (uint64_t n = rng() % 9; n > 0; --n) {
        uint32_t code = static_cast<uint32_t>(rng() % (rng() % 2 ? 0x110000 : 0x80));
        if (code >= 0xD800 && code < 0xE000) code = '"';
        mixgrad::append_utf8(text, code);
      }
      return Json(std::move(text));
    }
    case 5: {
      Json::Array items;
      for (uint64_t n = rng() % 5; n > 0; --n) items.push_back(random_tree(rng, depth + 1));
      return Json(std::move(items));
    }
    default: {
      Json::Object members;
      for (uint64_t n = rng() % 5; n > 0; --n)
        members.emplace_back("k\n" + std::to_string(n), random_tree(rng, depth + 1));
      return Json(std::move(members));
    }
  }
}

}  // namespace

TEST(json_reads_what_it_writes) {
  CHECK_EQ(again(" { \"a\" : [ 1 , -2.5, true, false, null ] , \"b\" : {} , \"c\" : [] } "),
           "{\"a\":[1,-2.5,true,false,null],\"b\":{},\"c\":[]}");
  std::mt19937_64 rng(7);
  for (int i = 0; i < 2000; ++i) {
    const Json tree = random_tree(rng, 0);
    const std::string text = tree.dump(), wide = tree.dump(2);
    CHECK_EQ(again(text), text);
    CHECK_EQ(again(wide), text);
  }
}

TEST(json_numbers_are_exact) {
  CHECK_EQ(*parse_json("9223372036854775807", "test").integer(), std::numeric_limits<int64_t>::max());
  CHECK_EQ(*parse_json("-9223372036854775808", "test").integer(), std::numeric_limits<int64_t>::min());
  CHECK(!parse_json("9223372036854775808", "test").integer());
  double value = 0;
  CHECK(parse_json("9223372036854775808", "test").number(&value));
  CHECK_EQ(value, 9223372036854775808.0);
  CHECK_EQ(again("0.1"), "0.1");
  CHECK_EQ(again("1e300"), "1e+300");
  CHECK_EQ(again("1.0"), "1.0");
  CHECK_EQ(again("-0"), "-0.0");
  CHECK_THROWS(Json(std::nan("")).dump(), invalid_argument, "finite");
}

TEST(json_text_is_utf8) {
  CHECK_EQ(*parse_json("\"\\u00e9\\ud83d\\ude00\\n\\/\"", "test").string(), "\xC3\xA9\xF0\x9F\x98\x80\n/");
  CHECK_EQ(again("\"\xC3\xA9\""), "\"\xC3\xA9\"");
  CHECK_EQ(again("\"\\u0001\""), "\"\\u0001\"");
  refuses("\"\xC3\"", "UTF-8");
  refuses("\"\xED\xA0\x80\"", "UTF-8");  // a surrogate
  refuses("\"\xC0\x80\"", "UTF-8");      // an overlong zero
  refuses("\"\xF4\x90\x80\x80\"", "UTF-8");
  refuses("\"\\ud83d\"", "surrogates");
  refuses("\"\\ude00\"", "surrogates");
  refuses("\"\\ud83d\\u0041\"", "surrogates");
}

TEST(json_refuses_with_position) {
  refuses("", "the text ends");
  refuses("{\n  \"a\": nul\n}", "line 2, column 8");
  refuses("[1, 2,]", "expected a value");
  refuses("[1 2]", "',' or ']'");
  refuses("{\"a\" 1}", "':'");
  refuses("{\"a\": 1, \"a\": 2}", "each key once");
  refuses("{a: 1}", "a key");
  refuses("[1] 2", "the end");
  refuses("01", "the end");
  refuses("1.", "a digit");
  refuses("-", "a digit");
  refuses("1e", "a digit");
  refuses("+1", "a value");
  refuses("NaN", "a value");
  refuses("1e999", "a double");
  refuses("\"a\nb\"", "control character");
  refuses("\"abc", "end of a text");
  refuses("\"\\x41\"", "escape");
  refuses("\"\\u12g4\"", "hexadecimal");
  refuses(std::string(mixgrad::kMaxJsonDepth + 2, '['), "less nesting");
  const std::string deep(mixgrad::kMaxJsonDepth + 1, '['), closed(mixgrad::kMaxJsonDepth + 1, ']');
  CHECK_EQ(again(deep + closed), deep + closed);
}

TEST(json_finds_members) {
  const Json tree = parse_json("{\"a\": {\"b\": [10]}}", "test");
  CHECK_EQ(*(*tree.find("a")->find("b")->array())[0].integer(), int64_t{10});
  CHECK(!tree.find("b"));
  CHECK(!tree.find("a")->find("b")->find("c"));
  CHECK_EQ(std::string(tree.kind_name()), "an object");
}
