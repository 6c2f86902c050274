// What servers keep on disk: a table that was ended anywhere goes on with the same bits, and damage is told.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/warning.h"
#include "check.h"
#include "kvstore/distributed/array_table.h"
#include "kvstore/distributed/snapshot_folder.h"
#include "kvstore/protocol/fields.h"

using namespace mixgrad;
using namespace mixgrad::kvstore;
using protocol::Epoch;
using protocol::Step;

namespace {

using Floats = std::vector<float>;

// w -= received, with a count of updates that a state holds.
struct CountingRule final : Rule {
  int32_t count = 0;
  void update(const Key&, Array& received, Array& stored) override {
    ++count;
    Floats w(static_cast<size_t>(stored.size())), g = w;
    stored.copy_to_host(w.data());
    received.copy_to_host(g.data());
    for (size_t i = 0; i < w.size(); ++i) w[i] = w[i] * 0.5f - g[i] * static_cast<float>(count);
    stored.copy_from_host(w.data());
  }
  std::string state() override { return std::string(reinterpret_cast<const char*>(&count), 4); }
};
struct CountingRules final : RuleMaker {
  std::string check(const std::string& data) override { return data.size() == 4 ? "" : "no count"; }
  std::unique_ptr<Rule> make(const std::string& data) override {
    auto rule = std::make_unique<CountingRule>();
    std::memcpy(&rule->count, data.data(), 4);
    return rule;
  }
};

class Folder {
 public:
  Folder() {
    char name[] = "/tmp/mixgrad-snapshots-XXXXXX";
    CHECK(mkdtemp(name) != nullptr);
    path = name;
  }
  ~Folder() {
    for (const std::string& server : names_in(path)) {
      for (const std::string& slot : names_in(path + "/" + server)) {
        if (slot != "lock" && slot != "view") remove_folder(path + "/" + server + "/" + slot);
      }
      remove_folder(path + "/" + server);
    }
    remove_folder(path);
  }
  std::string of_slot() const {
    for (const std::string& name : names_in(path + "/server-3")) {
      uint32_t slot = 0;
      uint64_t life = 0;
      if (is_slot_folder(name, &slot, &life) && slot == 7) return path + "/server-3/" + name;
    }
    return "";
  }
  std::string path;
};

// A server's table, as a replica uses it.
struct Kept {
  CountingRules rules;
  std::unique_ptr<Snapshots> snapshots;
  std::unique_ptr<ArrayTable> table;
  protocol::Ledger ledger;
  std::vector<protocol::LogStep> steps;  // beyond the ledger
  Epoch origin;
  Epoch present{4, 9};  // in which steps are made
  size_t slots = 0;

  explicit Kept(const std::string& folder, double seconds = 1000, DiskSync sync = DiskSync::snapshot) {
    snapshots = std::make_unique<Snapshots>(folder, 3, seconds, sync);
    table = std::make_unique<ArrayTable>(&rules, snapshots.get());
    const auto restored = table->restored();
    slots = restored.size();
    for (const protocol::Restored& one : restored) {
      CHECK(one.slot == 7 && one.snapshot == 1);
      CHECK(ledger.read(one.ledger.data(), one.ledger.size()));
      steps = one.steps;
      origin = one.origin;
    }
    lead();
  }
  // As a new primary does with what it finds in its log.
  void lead() {
    for (const protocol::LogStep& step : steps) apply(step);
    steps.clear();
  }
  void apply(const protocol::LogStep& step) {
    const protocol::Entry& entry = step.entry;
    ledger.note(entry);
    if (entry.step == Step::opening) return;
    CHECK(table->apply(protocol::as_applied(entry, {entry.format, step.payload}, &ledger)));
  }
  protocol::LogStep logged(protocol::LogStep step) {
    step.entry.slot = 7;
    step.entry.origin = present;
    step.entry.commit = ledger.index;
    table->logged(step.entry, step.payload);
    table->settle();
    return step;
  }
  void step(Step what, uint64_t round, const std::string& payload, int32_t head = 0) {
    protocol::Entry entry;
    entry.index = ledger.index + 1;
    entry.step = what;
    entry.round = round;
    entry.head = head;
    if (what == Step::command) {
      entry.marks = {{0, 1}};
    } else {
      entry.piece = 5;
      if (what == Step::update) entry.marks = {{0, round}, {1, round}};
    }
    PieceAbout about;
    about.is_text = true;
    about.name = "w";
    about.extents = {4};
    about.dtype = static_cast<uint8_t>(DType::float32);
    about.count = 4;
    if (what == Step::init) entry.about = protocol::encoded(about);
    protocol::Value value;
    value.format.dtype = static_cast<uint8_t>(DType::float32);
    value.format.elements = 4;
    value.payload = net::Payload::copy_of(payload.data(), payload.size());
    entry.format = value.format;
    apply(logged({entry, value.payload, 0}));
  }
  void floats(Step what, uint64_t round, const Floats& values) {
    step(what, round, std::string(reinterpret_cast<const char*>(values.data()), values.size() * 4));
  }
  void begin() {
    protocol::LogStep opening;
    opening.entry.step = Step::opening;
    opening.entry.index = ledger.index + 1;
    apply(logged(opening));
    floats(Step::init, 0, {1, 2, 3, 4});
    step(Step::command, 0, std::string(4, '\0'), kRuleHead);
  }
  void update(uint64_t round) { floats(Step::update, round, {0.5f, static_cast<float>(round), -1, 0.25f}); }
  Floats value(uint64_t round) const {
    protocol::Value out;
    CHECK(table->read(7, 5, round, {}, out));
    Floats values(4);
    CHECK_EQ(out.payload.bytes, 16u);
    std::memcpy(values.data(), out.payload.data, 16);
    return values;
  }
};

template <class F>
std::string message_of(F call) {
  try {
    call();
  } catch (const Error& error) {
    return std::string(error.message());
  }
  return "nothing";
}
void change_byte(const std::string& path, long at) {
  std::FILE* const file = std::fopen(path.c_str(), "r+b");
  CHECK(file != nullptr);
  CHECK(std::fseek(file, at, at < 0 ? SEEK_END : SEEK_SET) == 0);
  const int byte = std::fgetc(file);
  CHECK(std::fseek(file, -1, SEEK_CUR) == 0);
  std::fputc(byte ^ 0x10, file);
  std::fclose(file);
}
long bytes_of_file(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  CHECK(file != nullptr);
  std::fseek(file, 0, SEEK_END);
  const long bytes = std::ftell(file);
  std::fclose(file);
  return bytes;
}
void copy_file(const std::string& from, const std::string& to) {
  std::string bytes(static_cast<size_t>(bytes_of_file(from)), '\0');
  std::FILE* file = std::fopen(from.c_str(), "rb");
  CHECK(file != nullptr && std::fread(bytes.data(), 1, bytes.size(), file) == bytes.size());
  std::fclose(file);
  file = std::fopen(to.c_str(), "wb");
  CHECK(file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size());
  std::fclose(file);
}
std::vector<std::string> files_of(const Folder& folder) { return names_in(folder.of_slot()); }

}  // namespace

// A server that ends after any step has the bits of one that does not, wherever snapshots were taken.
TEST(kvstore_snapshots_bring_back_every_step) {
  Folder undisturbed;
  Kept other(undisturbed.path);
  other.begin();
  Folder folder;
  {
    Kept first(folder.path);
    CHECK_EQ(first.slots, 0u);
    first.begin();
  }
  for (uint64_t round = 1; round <= 12; ++round) {
    Kept again(folder.path);
    CHECK_EQ(again.slots, 1u);
    CHECK_EQ(again.origin.number, uint64_t{4} + (round > 7));
    again.present.number += round > 6;
    CHECK_EQ(again.ledger.find(5)->round, round - 1);
    CHECK_EQ(protocol::Ledger::mark(again.ledger.find(5)->marks, 1), round - 1);
    CHECK_EQ(protocol::Ledger::mark(again.ledger.commands, 0), uint64_t{1});
    again.update(round);
    other.update(round);
    CHECK(again.value(round) == other.value(round));
    if (round > 1) CHECK(again.value(round - 1) == other.value(round - 1));  // the one before is there, too
    if (round % 4 == 0) again.table->snapshot(7, 1, again.ledger.bytes());
    if (round % 8 == 0) again.snapshots->wait();
  }
  // What a snapshot has in it is not kept twice.
  Kept last(folder.path);
  last.table->snapshot(7, 1, last.ledger.bytes());
  last.snapshots->wait();
  CHECK_EQ(files_of(folder).size(), 2u);
}

TEST(kvstore_snapshots_are_written_when_time_is_over) {
  Folder folder;
  Kept kept(folder.path, 1e-6);
  kept.begin();
  for (uint64_t round = 1; round <= 20; ++round) {
    kept.update(round);
    kept.snapshots->wait();
  }
  CHECK_EQ(files_of(folder).size(), 2u);
  CHECK(files_of(folder)[1].size() > std::string("snapshot-9").size());  // one for each step
}

// Steps that are logged and not known to be committed are kept as that, also where a snapshot was taken meanwhile; another primary's
// take their place.
TEST(kvstore_snapshots_know_the_log_beyond_what_is_applied) {
  Folder folder;
  const auto update_at = [](uint64_t index, uint64_t round) {
    protocol::LogStep step;
    step.entry.index = index;
    step.entry.piece = 5;
    step.entry.round = round;
    step.entry.marks = {{0, round}};
    const Floats values = {1, 1, 1, static_cast<float>(round)};
    step.entry.format.dtype = static_cast<uint8_t>(DType::float32);
    step.entry.format.elements = 4;
    step.payload = net::Payload::copy_of(values.data(), 16);
    return step;
  };
  for (const DiskSync sync : {DiskSync::none, DiskSync::snapshot, DiskSync::step}) {
    Folder one;
    uint64_t index = 0;
    {
      Kept kept(one.path, 1000, sync);
      kept.begin();
      index = kept.ledger.index;
      kept.logged(update_at(index + 1, 1));
      kept.logged(update_at(index + 2, 2));
      kept.table->snapshot(7, 1, kept.ledger.bytes());
      kept.snapshots->wait();
      CHECK_EQ(files_of(one).size(), 2u);
    }
    Snapshots snapshots(one.path, 3, 1000, sync);
    CountingRules rules;
    {
      ArrayTable table(&rules, &snapshots);
      const auto restored = table.restored();
      CHECK_EQ(restored.size(), 1u);
      protocol::Ledger ledger;
      CHECK(ledger.read(restored[0].ledger.data(), restored[0].ledger.size()));
      CHECK_EQ(ledger.index, index);
      CHECK_EQ(restored[0].steps.size(), 2u);
      CHECK_EQ(restored[0].origin.number, uint64_t{4});
      // Another primary did not have the second one.
      protocol::LogStep other = update_at(index + 2, 3);
      other.entry.slot = 7;
      other.entry.origin = {6, 2};
      other.entry.commit = index + 1;
      table.logged(other.entry, other.payload);
      table.settle();
    }
  }
  {
    Kept kept(folder.path);
    kept.begin();
    const uint64_t index = kept.ledger.index;
    kept.logged(update_at(index + 1, 1));
    kept.logged(update_at(index + 2, 2));
    kept.present = {6, 2};
    kept.logged(update_at(index + 2, 3));
  }
  Kept kept(folder.path);
  CHECK_EQ(kept.ledger.find(5)->round, uint64_t{3});
  CHECK(kept.origin == (Epoch{6, 2}));
  // Filled anew by another server, with what this one has.
  kept.table->filled(7, {8, 2}, kept.ledger);
  const Floats value = kept.value(3);
  kept.table.reset();
  kept.snapshots.reset();
  Kept filled(folder.path);
  CHECK(filled.origin.number == 8 && filled.ledger.find(5) != nullptr);
  CHECK(filled.value(3) == value);
  filled.table->clear(7);
  CHECK_EQ(folder.of_slot(), "");
}

// The view that is followed, and by which folder it was.
TEST(kvstore_snapshots_keep_the_view) {
  Folder folder;
  protocol::View view;
  view.epoch = {12, 5};
  uint64_t disk = 0;
  {
    Snapshots first(folder.path, 3, 1000);
    disk = first.disk();
    CHECK(disk != 0 && first.last_view().empty());
    first.follows(view);
  }
  {
    Snapshots again(folder.path, 3, 1000);
    CHECK_EQ(again.disk(), disk);
    protocol::View read;
    CHECK(protocol::decode(again.last_view().data(), again.last_view().size(), read));
    CHECK(read.epoch == view.epoch);
  }
  change_byte(folder.path + "/server-3/view", 30);
  CHECK(message_of([&] { Snapshots(folder.path, 3, 1); }).find("/server-3/view is damaged at byte 0") !=
        std::string::npos);
  // Another folder is another one.
  Folder other;
  CHECK(Snapshots(other.path, 3, 1000).disk() != disk);
}

// A server that was filled may lead at once, so its state must outlive it at once.
TEST(kvstore_snapshots_have_what_was_filled_when_it_counts) {
  Folder folder;
  Kept kept(folder.path);
  kept.begin();
  for (uint64_t number = 1; number <= 20; ++number) {
    kept.table->filled(7, {number, 2}, kept.ledger);
    kept.present = {number, 2};
    if (number % 2 == 0) kept.update(kept.ledger.find(5)->round + 1);
    // What there is if the process is killed here.
    Folder ended;
    const std::string from = folder.of_slot(), to = ended.path + "/server-3" + from.substr(from.rfind('/'));
    make_folder(ended.path + "/server-3");
    make_folder(to);
    for (const std::string& name : names_in(from)) {
      if (name[0] != '.') copy_file(from + "/" + name, to + "/" + name);
    }
    Kept again(ended.path);
    CHECK_EQ(again.slots, 1u);
    CHECK_EQ(again.origin.number, number);
    const uint64_t round = kept.ledger.find(5)->round;
    CHECK_EQ(again.ledger.find(5)->round, round);
    CHECK(again.value(round) == kept.value(round));
  }
}

TEST(kvstore_snapshots_that_cannot_be_written_end_a_server_that_is_filled) {
  Folder folder;
  Kept kept(folder.path);
  kept.begin();
  // Something is in the snapshot's place.
  const std::string next = folder.path + "/server-3/slot-7-2";
  make_folder(next);
  make_folder(next + "/snapshot-1");
  const std::string message = message_of([&] { kept.table->filled(7, {8, 2}, kept.ledger); });
  CHECK(message.find("server:3 was given slot 7 and cannot keep it in " + next) != std::string::npos);
  CHECK(message.find("snapshot-1' is a directory") != std::string::npos);
}

TEST(kvstore_snapshots_leave_out_what_was_not_finished_and_tell_of_damage) {
  Folder folder;
  {
    Kept kept(folder.path);
    kept.begin();
    kept.update(1);
    kept.update(2);
  }
  const std::string journal = folder.of_slot() + "/journal-0";
  cut_file(journal, static_cast<uint64_t>(bytes_of_file(journal) - 5));
  {
    Kept kept(folder.path);
    CHECK_EQ(kept.ledger.find(5)->round, uint64_t{1});
    kept.update(2);
  }
  {
    Kept kept(folder.path);
    CHECK_EQ(kept.ledger.find(5)->round, uint64_t{2});
    kept.table->snapshot(7, 1, kept.ledger.bytes());
    kept.snapshots->wait();
    kept.update(3);
    CHECK(message_of([&] {
            Snapshots(folder.path, 3, 1);
          }).find("another process keeps its snapshots in " + folder.path) != std::string::npos);
  }
  const std::string slot = folder.of_slot();
  for (const char* const name : {"/journal-1", "/snapshot-1"}) {
    const long bytes = bytes_of_file(slot + name);
    for (const long at : {long{0}, long{9}, long{17}, bytes / 2, bytes - 1}) {
      change_byte(slot + name, at);
      const std::string message = message_of([&] { Kept kept(folder.path); });
      CHECK(message.find(slot + name + " is damaged at byte ") != std::string::npos);
      change_byte(slot + name, at);
    }
  }
  cut_file(slot + "/snapshot-1", static_cast<uint64_t>(bytes_of_file(slot + "/snapshot-1") - 40));
  CHECK(message_of([&] { Kept kept(folder.path); }).find("/snapshot-1 is damaged at byte ") !=
        std::string::npos);
  std::remove((slot + "/journal-1").c_str());
  CHECK(message_of([&] { Kept kept(folder.path); }) != "nothing" || folder.of_slot().empty());
}

// A machine that ends may leave a journal that is as long as it was and has zeros at its end.
TEST(kvstore_snapshots_end_where_the_last_journal_has_only_zeros) {
  static std::string warned;
  set_warning_handler([](const char* message) { warned += message; });
  Folder folder;
  long ends[8] = {};
  {
    Kept kept(folder.path);
    kept.begin();
    for (uint64_t round = 1; round < 8; ++round) {
      kept.update(round);
      ends[round] = bytes_of_file(folder.of_slot() + "/journal-0");
    }
  }
  const std::string journal = folder.of_slot() + "/journal-0", kept_whole = folder.path + "/server-3/whole";
  copy_file(journal, kept_whole);
  const auto zero_from = [&](long at) {
    copy_file(kept_whole, journal);
    std::FILE* const file = std::fopen(journal.c_str(), "r+b");
    CHECK(file != nullptr && std::fseek(file, at, SEEK_SET) == 0);
    for (long i = at; i < ends[7]; ++i) std::fputc(0, file);
    std::fclose(file);
    warned.clear();
  };
  const long sector = ends[4] / 512 * 512;  // within a record
  CHECK(sector > ends[1] && sector < ends[7]);
  for (const long at : {ends[6], ends[7] - 8, ends[2], sector}) {
    uint64_t whole = 0;
    while (ends[whole + 1] <= at && ends[whole + 1] > 0) ++whole;
    zero_from(at);
    {
      Kept kept(folder.path);
      CHECK_EQ(kept.ledger.find(5)->round, whole);
      CHECK(warned.find(journal + " has only zeros where a record is expected at byte " +
                        std::to_string(ends[whole])) != std::string::npos);
      CHECK_EQ(bytes_of_file(journal), ends[whole]);
      kept.update(whole + 1);
    }
    warned.clear();
    Kept kept(folder.path);
    CHECK_EQ(kept.ledger.find(5)->round, whole + 1);
    CHECK_EQ(warned, "");
  }
  // Zeros that something follows are damage, and so are they in a file that others follow.
  zero_from(ends[5]);
  change_byte(journal, ends[7] - 1);
  const std::string damage = journal + " is damaged at byte " + std::to_string(ends[5]);
  CHECK(message_of([&] { Kept kept(folder.path); }).find(damage) != std::string::npos);
  zero_from(ends[5]);
  copy_file(journal, folder.of_slot() + "/journal-1");
  CHECK(message_of([&] { Kept kept(folder.path); }).find(damage) != std::string::npos);
  CHECK_EQ(warned, "");
  set_warning_handler(nullptr);
}
