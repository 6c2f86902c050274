#include "kernels/convolution/conv_choice.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string_view>

#include "base/cpu.h"
#include "base/error.h"
#include "base/fork_mutex.h"
#include "kernels/convolution/conv_rule.h"
#include "kernels/scratch.h"

namespace mixgrad::conv_choice {
namespace {

const char* const kAlgorithmNames[kConvAlgorithms] = {"automatic", "product",   "direct",  "winograd2",
                                                      "winograd4", "depthwise", "grouped", "library"};

using Entries = std::map<std::string, ConvAlgorithm>;

struct Table {
  ForkMutex mutex;
  Entries entries;
  std::atomic<ConvAlgorithm> forced{ConvAlgorithm::automatic};
  std::atomic<uint64_t> version{0};
};

// The next word of what is left of a line; empty at its end.
std::string next_word(std::string_view& line) {
  const size_t first = std::min(line.find_first_not_of(" \t\r\v\f"), line.size());
  const size_t last = std::min(line.find_first_of(" \t\r\v\f", first), line.size());
  const std::string word(line.substr(first, last - first));
  line.remove_prefix(last);
  return word;
}

void read_lines(Entries& entries, std::string_view text, const std::string& source) {
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    std::string_view words = line;
    const std::string problem = next_word(words), name = next_word(words);
    if (problem.empty() || problem[0] == '#') continue;
    const char* const* last = kAlgorithmNames + kConvAlgorithms;
    const char* const* found = std::find(kAlgorithmNames + 1, last, name);
    if (found == last || !next_word(words).empty()) {
      fail(Status::format, "[convolution] line ", number, " of ", source, " is '", line,
           "'; expected a convolution as conv_describe writes it and an algorithm such as winograd4");
    }
    entries[problem] = static_cast<ConvAlgorithm>(found - kAlgorithmNames);
  }
}

void read_environment(Table& table) {
  if (const char* path = std::getenv("MIXGRAD_CONV_TABLE"); path && *path) {
    std::ifstream in(path);
    if (!in) fail(Status::io, "[convolution] cannot read the table that MIXGRAD_CONV_TABLE names, ", path);
    read_lines(table.entries, std::string(std::istreambuf_iterator<char>(in), {}), path);
  }
  if (const char* name = std::getenv("MIXGRAD_CONV"); name && *name)
    table.forced = conv_algorithm_named(name);
}

Table& shared_table() {
  static auto* const table = new Table;
  static const bool read = (read_environment(*table), true);
  (void)read;
  return *table;
}

bool algorithm_serves(const ConvProblem& problem, ConvAlgorithm algorithm) {
  const ConvMethod& method = conv_method(algorithm);
  return method.serves && method.serves(problem);
}

// What was forced or entered in the table and serves the problem; automatic if nothing.
ConvAlgorithm given_algorithm(const ConvProblem& problem) {
  Table& table = shared_table();
  const ConvAlgorithm forced = table.forced;
  if (algorithm_serves(problem, forced)) return forced;
  const std::lock_guard<ForkMutex> lock(table.mutex);
  if (table.entries.empty()) return ConvAlgorithm::automatic;
  const auto found = table.entries.find(conv_describe(problem));
  const bool serves = found != table.entries.end() && algorithm_serves(problem, found->second);
  return serves ? found->second : ConvAlgorithm::automatic;
}

double seconds_of(const ConvPlan& plan, double seconds) {
  const auto now = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  const ConvProblem& p = plan.problem();
  const nn_backend::ConvShape& s = p.shape;
  const int64_t data_items = conv_image_items(p.data, s.batch, s.channels, s.in_size());
  const int64_t out_items = conv_image_items(p.out, s.batch, s.filters, s.out_size());
  const Scratch data = Scratch::of<float>(data_items), out = Scratch::of<float>(out_items);
  const Scratch weight = Scratch::of<float>(s.weight_items());
  const Scratch prepared = Scratch::of<float>(plan.weight_items());
  const Scratch scratch = Scratch::of<float>(plan.scratch_items());
  std::fill_n(data.as<float>(), data_items, 0.5f);
  std::fill_n(weight.as<float>(), s.weight_items(), 0.25f);
  plan.prepare(weight.as<float>(), nullptr, prepared.as<float>());
  double best = 1e30;
  const double until = now() + seconds;
  for (int round = 0; round < 3 || now() < until; ++round) {
    const double start = now();
    if (p.fresh_weights) plan.prepare(weight.as<float>(), nullptr, prepared.as<float>());
    plan.run(data.as<float>(), prepared.as<float>(), ConvEpilogue(), out.as<float>(), scratch.as<float>());
    best = std::min(best, now() - start);
  }
  return best;
}

}  // namespace
}  // namespace mixgrad::conv_choice

namespace mixgrad {

using conv_choice::algorithm_serves;
using conv_choice::given_algorithm;
using conv_choice::kAlgorithmNames;
using conv_choice::read_lines;
using conv_choice::seconds_of;
using conv_choice::shared_table;
using conv_choice::Table;

const char* name_of(ConvAlgorithm algorithm) { return kAlgorithmNames[static_cast<int>(algorithm)]; }

ConvAlgorithm conv_algorithm_named(const std::string& name) {
  for (int i = 0; i < kConvAlgorithms; ++i) {
    if (name == kAlgorithmNames[i]) return static_cast<ConvAlgorithm>(i);
  }
  fail(Status::invalid_argument, "[convolution] got algorithm '", name,
       "'; expected automatic, product, direct, winograd2, winograd4, depthwise, grouped or library");
}

std::string conv_describe(const ConvProblem& problem) {
  const nn_backend::ConvShape& s = problem.shape;
  std::string out =
      text(mixgrad::name_of(best_isa()), "-n", s.batch, "-c", s.channels, "-f", s.filters, "-g", s.groups);
  const auto pair = [&](const char* name, const int64_t* v) { out += text('-', name, v[1], 'x', v[2]); };
  pair("i", s.in);
  pair("k", s.kernel);
  pair("s", s.stride);
  pair("d", s.dilate);
  pair("p", s.pad);
  pair("o", s.out);
  out += problem.data == ConvLayout::plain ? "-plain" : "-blocked";
  out += problem.out == ConvLayout::plain ? "-plain" : "-blocked";
  out += problem.fresh_weights ? "-fresh" : "";
  return out;
}

ConvAlgorithm conv_algorithm(const ConvProblem& problem) {
  if constexpr (!kCompact) {
    const ConvAlgorithm given = given_algorithm(problem);
    if (given != ConvAlgorithm::automatic) return given;
  }
  ConvAlgorithm best = ConvAlgorithm::automatic;
  double least = 0;
  for (int i = 1; i < kConvAlgorithms; ++i) {
    const ConvAlgorithm algorithm = static_cast<ConvAlgorithm>(i);
    if (!algorithm_serves(problem, algorithm)) continue;
    const double cost = conv_rule::cost(problem, algorithm);
    if (best == ConvAlgorithm::automatic || cost < least) best = algorithm, least = cost;
  }
  return best;
}

void conv_force(ConvAlgorithm algorithm) {
  shared_table().forced = algorithm;
  ++shared_table().version;
}

uint64_t conv_choice_version() {
  if constexpr (kCompact) return 0;
  return shared_table().version;
}

void conv_record(const ConvProblem& problem, ConvAlgorithm algorithm) {
  Table& table = shared_table();
  const std::lock_guard<ForkMutex> lock(table.mutex);
  table.entries[conv_describe(problem)] = algorithm;
  ++table.version;
}

ConvAlgorithm conv_measure(const ConvProblem& problem, double seconds) {
  ConvAlgorithm best = conv_algorithm(problem);
  double least = 1e30;
  for (int i = 1; i < kConvAlgorithms; ++i) {
    const auto plan = ConvPlan::make(problem, static_cast<ConvAlgorithm>(i));
    if (!plan) continue;
    const double time = seconds_of(*plan, seconds);
    if (time < least) least = time, best = plan->algorithm();
  }
  if (best != ConvAlgorithm::automatic) conv_record(problem, best);
  return best;
}

std::string conv_table() {
  Table& table = shared_table();
  const std::lock_guard<ForkMutex> lock(table.mutex);
  std::string text;
  for (const auto& [problem, algorithm] : table.entries) text += problem + ' ' + name_of(algorithm) + '\n';
  return text;
}

void conv_read_table(const std::string& text) {
  Table& table = shared_table();
  conv_choice::Entries fresh;
  read_lines(fresh, text, "the table");
  const std::lock_guard<ForkMutex> lock(table.mutex);
  for (const auto& [problem, algorithm] : fresh) table.entries[problem] = algorithm;
  ++table.version;
}

void conv_clear_table() {
  Table& table = shared_table();
  const std::lock_guard<ForkMutex> lock(table.mutex);
  table.entries.clear();
  ++table.version;
}

}  // namespace mixgrad
