// The single file's string against std::string: random calls, the same outcome after each.
#include "containers/string.h"

#include <random>
#include <string>
#include <unordered_map>

#include "check.h"

namespace {

using mixgrad::containers::string;

// Few letters, so that searches find something; zero bytes, too.
std::string some_text(std::mt19937_64& rng) {
  std::string text(rng() % (rng() % 4 == 0 ? 60 : 5), 'a');
  for (char& c : text) c = "abc\0"[rng() % 4];
  return text;
}

void same(const string& made, const std::string& right) {
  CHECK(made.size() == right.size() && made.length() == right.size() && made.empty() == right.empty());
  CHECK(std::string_view(made) == right && std::string(made.begin(), made.end()) == right);
  CHECK(made.c_str() == made.data() && made.data()[made.size()] == '\0');
  CHECK(right.empty() || (made.front() == right.front() && made.back() == right.back()));
}

void change(std::mt19937_64& rng, string& made, std::string& right) {
  const size_t place = rng() % (right.size() + 1), count = rng() % 9;
  const std::string more = some_text(rng);
  const std::string_view part = std::string_view(right).substr(place, count);
  const std::string_view own = std::string_view(made).substr(place, count);
  const char letter = "xyz"[rng() % 3];
  switch (rng() % 18) {
    case 0: made += letter, right += letter; return;
    case 1: made += std::string_view(more), right += more; return;
    case 2: made += more.c_str(), right += more.c_str(); return;
    case 3: made.append(count, letter), right.append(count, letter); return;
    case 4: made.append(more.begin(), more.end()), right.append(more); return;
    case 5: made.insert(place, more), right.insert(place, more); return;
    case 6: made.erase(place, count), right.erase(place, count); return;
    case 7: made.replace(place, count, more), right.replace(place, count, more); return;
    case 8: made.resize(count * 3, letter), right.resize(count * 3, letter); return;
    case 9: made.reserve(count * 20), right.reserve(count * 20); return;
    case 10:
      if (!right.empty()) made.pop_back(), right.pop_back();
      return;
    case 11: made = std::string_view(more), right = more; return;
    case 12: made = more.c_str(), right = more.c_str(); return;
    case 13: made.clear(), right.clear(); return;
    case 14: {  // parts of itself
      const std::string piece(part);
      made += own;
      right += piece;
      made += made;
      right += right;
      made.insert(place, std::string_view(made).substr(0, count));
      right.insert(place, right.substr(0, count));
      made = std::string_view(made).substr(place / 2);
      right = right.substr(place / 2);
      if (right.size() > 200) made.resize(40), right.resize(40);
      return;
    }
    case 15: {  // copies and moves, of itself too
      string copy = made;
      same(copy, right);
      copy += letter;
      CHECK(copy != made && made < copy && copy > made);
      made = *&made;
      string moved = std::move(made);
      same(moved, right);
      made = std::move(moved);
      return;
    }
    case 16: {
      string sum = made + std::string_view(more) + letter + more.c_str() + made;
      right = right + more + letter + more.c_str() + right;
      made = std::move(sum);
      if (right.size() > 200) made.resize(40), right.resize(40);
      return;
    }
    case 17:
      made = letter + ("<" + made) + ">";
      right = letter + ("<" + right) + ">";
      return;
  }
}

void look(std::mt19937_64& rng, const string& made, const std::string& right) {
  const size_t place = rng() % (right.size() + 1);
  const size_t from = rng() % 3 == 0 ? string::npos : rng() % (right.size() + 3), count = rng() % 9;
  std::string what = some_text(rng);
  if (what.size() > 3) what.resize(3);
  CHECK(made.find(what, from) == right.find(what, from));
  CHECK(made.rfind(what, from) == right.rfind(what, from));
  CHECK(made.find('b', from) == right.find('b', from));
  CHECK(made.rfind('b', from) == right.rfind('b', from));
  CHECK(made.find_first_of(what, from) == right.find_first_of(what, from));
  CHECK(made.find_first_not_of(what, from) == right.find_first_not_of(what, from));
  CHECK(made.find_last_of(what, from) == right.find_last_of(what, from));
  CHECK(made.find_last_not_of(what, from) == right.find_last_not_of(what, from));
  same(made.substr(place, count), right.substr(place, count));
  const auto sign = [](int order) { return (order > 0) - (order < 0); };
  CHECK(sign(made.compare(what)) == sign(right.compare(what)));
  CHECK(sign(made.compare(place, count, what)) == sign(right.compare(place, count, what)));
  const string other{std::string_view(what)};
  CHECK((made == other) == (right == what) && (made != other) == (right != what));
  CHECK((made < other) == (right < what) && (made > other) == (right > what));
  CHECK((made == what.c_str()) == (right == what.c_str()) &&
        (what.c_str() != made) == (right != what.c_str()));
  CHECK(std::hash<string>()(made) == std::hash<std::string>()(right));
}

TEST(small_string_does_what_the_standard_one_does) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    std::mt19937_64 rng(seed);
    string made;
    std::string right;
    for (int i = 0; i < 4000; ++i) {
      change(rng, made, right);
      same(made, right);
      look(rng, made, right);
    }
  }
}

TEST(small_string_is_made_of_what_others_are_made_of) {
  same(string(), "");
  same(string("abc"), "abc");
  same(string("abc", 2), "ab");
  same(string(4, 'x'), "xxxx");
  const std::string text = "from a view";
  same(string(std::string_view(text)), text);
  same(string(text.begin(), text.end()), text);
  same("a" + string("b") + 'c', "abc");
  std::unordered_map<string, int> numbers;
  for (int i = 0; i < 100; ++i) numbers[string("n") + std::to_string(i)] = i;
  CHECK(numbers.size() == 100 && numbers.at("n42") == 42);
}

}  // namespace
