#include "io/batches.h"

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <new>
#include <utility>

#include "base/error.h"
#include "engine/caller.h"
#include "io/decode_lane.h"
#include "io/decoder.h"
#include "io/stage_time.h"

namespace mixgrad::io {
namespace {

class Tag final : public engine::Var {};
Ref<Tag> new_tag() { return Ref<Tag>::adopt(new Tag); }

}  // namespace

struct BatchWork {
  Ref<Tag> read = new_tag();
  std::vector<Ref<Tag>> parts;  // one per task that decodes
  Ref<Chunk> data, labels;      // until it is finished
  ArrayRef data_array, label_array;
  RawRecords raw;
  std::atomic<size_t> next_row{0};
  std::atomic<bool> given_up{false};

  // Written by the task that reads, then constant.
  size_t count = 0, pad = 0;
  bool none = false;  // the epoch has no more
  std::unique_ptr<Error> unread;
  SamplePlace end;
  std::vector<uint64_t> ids;
  Skipped skipped;  // records, since the order was made

  // Of single rows, by tasks that decode.
  std::mutex mutex;
  std::condition_variable changed;
  bool read_done = false, finished = false;
  std::vector<char> bad;
  size_t first_bad = 0;
  std::unique_ptr<Error> failure;  // of the first bad row
  size_t num_bad = 0;

  void note(size_t row, const Error& error) {
    const std::lock_guard<std::mutex> guard(mutex);
    bad[row] = 1;
    if (num_bad++ > 0 && first_bad < row) return;
    first_bad = row;
    failure = std::make_unique<Error>(error);
  }
  void set(bool BatchWork::*flag) {
    const std::lock_guard<std::mutex> guard(mutex);
    this->*flag = true;
    changed.notify_all();
  }
};

namespace {

char* row_of(const Ref<Chunk>& chunk, size_t row, size_t bytes) {
  return static_cast<char*>(chunk->data()) + row * bytes;
}

}  // namespace

// What tasks that read share; one of them at a time.
struct Batches::Reader {
  std::unique_ptr<SampleOrder> order;
  std::shared_ptr<const BatchMaker> maker;
  BatchOptions options;
  std::string who;
  Ref<Tag> var = new_tag();
  SamplePlace place;
  bool at_end = false;
  bool begins = true;  // the next batch is the first of its epoch
  Skipped unfit;       // raw records of another size

  // Records that were left out so far.
  Skipped skipped() const {
    Skipped all = order->skipped();
    if (all.records == 0) all.first = unfit.first;
    all.records += unfit.records;
    all.bytes += unfit.bytes;
    return all;
  }
  size_t batch() const { return static_cast<size_t>(options.batch_size); }
  size_t label_bytes() const { return static_cast<size_t>(maker->label_width()) * sizeof(float); }

  // Adds examples behind the first `have`.
  size_t fill(BatchWork& work, SamplePlace* from, size_t have) {
    if (!maker->raw()) return order->read(from, batch() - have, &work.raw);
    return read_raw_rows(
        *order, *maker, from, batch() - have, row_of(work.data, have, maker->row_bytes()),
        reinterpret_cast<float*>(row_of(work.labels, have, label_bytes())), work.ids.data() + have, &work.raw,
        options.damaged == BatchOptions::Damaged::skip ? Damage::skip : Damage::raise, &unfit, who.c_str());
  }

  void read(BatchWork& work) {
    work.none = at_end;
    if (at_end) return;
    work.ids.assign(batch(), 0);
    if (maker->raw()) take_memory(work);
    size_t count = fill(work, &place, 0);
    // All of the epoch went into batches of the one before, which are larger than the file: it is read once more.
    if (count == 0 && begins && place.sample > 0) {
      place = order->start(place.epoch);
      count = fill(work, &place, 0);
    }
    begins = false;
    if (count == 0) {
      work.none = at_end = true;
      return;
    }
    work.count = count;
    if (count < batch()) {
      at_end = true;
      work.pad = batch() - count;
      take_memory(work);  // before records are read for it, again and again if they are few
      if (options.round_batch) wrap(work);
    }
    if (!maker->raw()) take_memory(work);
    for (size_t i = 0; i < work.raw.size() && !maker->raw(); ++i) {
      const Span<const char> record = work.raw.data(i);
      if (record.size() >= ImageHeader::kBytes)
        std::memcpy(&work.ids[i], record.data() + 8, sizeof(uint64_t));
    }
    clear_rest(work);
  }

  // The batch is filled from the next epoch, which begins behind these examples.
  void wrap(BatchWork& work) {
    const uint64_t epoch = place.epoch + 1;
    place = order->start(epoch);
    while (work.count < batch()) {
      const size_t more = fill(work, &place, work.count);
      if (more == 0) place = order->start(epoch);
      work.count += more;
    }
  }

  void take_memory(BatchWork& work) {
    work.data->ensure();
    work.labels->ensure();
  }

  void clear_rest(BatchWork& work) {
    if (work.count >= batch()) return;
    const size_t rest = batch() - work.count;
    std::memset(row_of(work.data, work.count, maker->row_bytes()), 0, rest * maker->row_bytes());
    std::memset(row_of(work.labels, work.count, label_bytes()), 0, rest * label_bytes());
  }
};

namespace {

// Rows of the batch, one after another, as long as there are some that no other task has taken.
void make_rows(BatchWork& work, const BatchMaker& maker, const std::string& source, const std::string& who) {
  if (work.none || work.unread || maker.raw()) return;
  const size_t label_bytes = static_cast<size_t>(maker.label_width()) * sizeof(float);
  for (;;) {
    const size_t row = work.next_row.fetch_add(1, std::memory_order_relaxed);
    if (row >= work.raw.size() || work.given_up.load(std::memory_order_relaxed)) return;
    const RawSample& sample = work.raw[row];
    try {
      const ImageHeader header =
          parse_image_header(work.raw.data(row), who.c_str(), source.c_str(), sample.offset);
      try {
        maker.make(sample, header, row_of(work.data, row, maker.row_bytes()),
                   reinterpret_cast<float*>(row_of(work.labels, row, label_bytes)));
      } catch (const Error& error) {
        throw placed(error, text("'", source, "' at ", sample.offset, ", record ", header.id));
      }
    } catch (const Error& error) {
      work.note(row, error);
    } catch (const std::bad_alloc&) {
      work.note(row, Error(Status::out_of_memory, "[" + who + "] no memory for a picture"));
    }
  }
}

// Whole rows move to the front, and the places behind them repeat these.
void close_gaps(BatchWork& work, const BatchMaker& maker) {
  const size_t bytes = maker.row_bytes();
  const size_t label_bytes = static_cast<size_t>(maker.label_width()) * sizeof(float);
  const auto copy = [&](size_t from, size_t to) {
    if (from == to) return;
    std::memcpy(row_of(work.data, to, bytes), row_of(work.data, from, bytes), bytes);
    std::memcpy(row_of(work.labels, to, label_bytes), row_of(work.labels, from, label_bytes), label_bytes);
    work.ids[to] = work.ids[from];
  };
  size_t whole = 0;
  const size_t own = work.ids.size() - work.pad;
  size_t lost = 0;  // of the examples that are not there only to fill the batch
  for (size_t row = 0; row < work.count; ++row) {
    if (!work.bad[row]) {
      copy(row, whole++);
    } else if (row < own) {
      ++lost;
    }
  }
  for (size_t row = whole; row < work.count && whole > 0; ++row)
    copy(row - whole < whole ? row - whole : 0, row);
  work.pad += lost;  // where that is all of the batch nobody gets it
}

void finish(BatchWork& work, const BatchMaker& maker, BatchOptions::Damaged damaged) {
  struct Done {
    BatchWork& work;
    ~Done() {
      work.data = work.labels = Ref<Chunk>();
      work.set(&BatchWork::finished);
    }
  } done{work};
  if (work.none || work.unread || work.num_bad == 0 || work.given_up.load(std::memory_order_relaxed)) return;
  if (damaged == BatchOptions::Damaged::raise) throw *work.failure;
  close_gaps(work, maker);
}

}  // namespace

Batches::Batches(std::unique_ptr<SampleOrder> order, std::unique_ptr<BatchMaker> maker,
                 const BatchOptions& options, const char* who)
    : reader_(std::make_shared<Reader>()), maker_(std::move(maker)), options_(options), who_(who) {
  reader_->order = std::move(order);
  reader_->maker = maker_;
  reader_->options = options;
  reader_->who = who_;
  reader_->place = begin_ = next_ = reader_->order->start(0);
}

Batches::~Batches() {
  for (const auto& work : ahead_) work->given_up.store(true, std::memory_order_relaxed);
}

void Batches::push_batch() {
  const auto work = std::make_shared<BatchWork>();
  std::vector<int64_t> extents{options_.batch_size};
  for (const int64_t extent : maker_->data_row()) extents.push_back(extent);
  const Shape shape(extents.data(), static_cast<int>(extents.size()));
  work->data_array = Array::empty(shape, maker_->dtype(), Device::cpu());
  const Shape label_shape =
      maker_->flat_labels() ? Shape{options_.batch_size} : Shape{options_.batch_size, maker_->label_width()};
  work->label_array = Array::empty(label_shape, DType::float32, Device::cpu());
  work->data = work->data_array->chunk_ref();
  work->labels = work->label_array->chunk_ref();
  work->bad.assign(static_cast<size_t>(options_.batch_size), 0);

  engine::Engine& engine = engine::Engine::get();
  engine::TaskInfo info;
  info.name = "read_records";
  info.lane = read_lane();
  engine::Var* const read_writes[] = {reader_->var.get(), work->read.get()};
  engine.push(
      [work, reader = reader_] {
        struct Done {
          BatchWork& work;
          ~Done() { work.set(&BatchWork::read_done); }
        } done{*work};
        if (work->given_up.load(std::memory_order_relaxed)) {
          work->none = true;
          return;
        }
        try {
          reader->read(*work);
        } catch (const Error& error) {
          work->unread = std::make_unique<Error>(error);
        } catch (const std::bad_alloc&) {
          work->unread =
              std::make_unique<Error>(Status::out_of_memory, "[" + reader->who + "] no memory for a batch");
        }
        work->end = reader->place;
        work->skipped = reader->skipped();
      },
      {reader_->var.get()}, read_writes, info);

  info.name = "decode_pictures";
  info.lane = decode_lane(options_.preprocess_threads);
  info.bytes = maker_->row_bytes() * static_cast<size_t>(options_.batch_size);
  const int64_t tasks =
      maker_->raw() ? 0 : std::min<int64_t>(options_.preprocess_threads, options_.batch_size);
  std::vector<engine::Var*> parts;
  for (int64_t i = 0; i < tasks; ++i) {
    work->parts.push_back(new_tag());
    parts.push_back(work->parts.back().get());
    engine::Var* const writes[] = {parts.back()};
    engine.push(
        [work, maker = maker_, reader = reader_] {
          make_rows(*work, *maker, reader->order->source()->name(), reader->who);
        },
        {work->read.get()}, writes, info);
  }
  parts.push_back(work->read.get());
  info.name = "finish_batch";
  engine::Var* const writes[] = {work->data.get(), work->labels.get()};
  engine.push([work, maker = maker_, damaged = options_.damaged] { finish(*work, *maker, damaged); },
              Span<engine::Var* const>(parts), writes, info);
  ahead_.push_back(work);
}

void Batches::wait(BatchWork& work, bool finished) {
  using Clock = std::chrono::steady_clock;
  const StageTime time(finished ? "wait for pictures" : "wait for records", "program");
  uint64_t seen = reader_->order->reading();
  auto since = Clock::now();
  std::unique_lock<std::mutex> lock(work.mutex);
  const auto done = [&] { return finished ? work.finished : work.read_done; };
  if (done()) return;
  while (!work.changed.wait_for(lock, engine::interrupt_period, done)) {
    if (engine::heeds_interrupts() && engine::interrupted())
      fail(Status::stopped, "[", who_, "] interrupted while waiting for a batch");
    const uint64_t now = reader_->order->reading();
    if (now != seen || work.read_done) {
      seen = now;
      since = Clock::now();
      continue;
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - since).count();
    if (options_.stall_seconds > 0 && seconds > options_.stall_seconds)
      fail(Status::io, "[", who_, "] reading '", reader_->order->source()->name(), "' at ", now, " of ",
           reader_->order->source()->bytes(), " bytes has given nothing for ", options_.stall_seconds,
           " seconds (stall_seconds)");
  }
}

bool Batches::next(PlacedBatch* out) {
  const auto most = static_cast<size_t>(options_.prefetch_buffer) + 1;
  const bool skips = options_.damaged == BatchOptions::Damaged::skip;
  for (;;) {
    // Waits come first: one that is interrupted loses nothing.
    while (ahead_.size() < most) push_batch();
    // A program that takes batches without waiting for them is held here: each holds memory.
    while (given_.size() >= most) {
      wait(*given_.front(), true);
      given_.pop_front();
    }
    const std::shared_ptr<BatchWork> work = ahead_.front();
    wait(*work, skips);
    if (work->none) return false;
    take(work);
    if (work->pad == work->ids.size()) continue;  // no example of it is left
    out->data = std::move(work->data_array);
    out->labels = std::move(work->label_array);
    out->pad = work->pad;
    out->ids = work->ids;
    return true;
  }
}

// Throws what is wrong with its records.
void Batches::take(const std::shared_ptr<BatchWork>& work) {
  ahead_.pop_front();
  next_ = work->end;
  taken_ = true;
  skipped_.records += work->skipped.records - std::min(work->skipped.records, seen_records_.records);
  skipped_.bytes += work->skipped.bytes - std::min(work->skipped.bytes, seen_records_.bytes);
  if (skipped_.first.empty()) skipped_.first = work->skipped.first;
  seen_records_ = work->skipped;
  if (work->unread) throw *work->unread;
  given_.push_back(work);
  if (options_.damaged == BatchOptions::Damaged::skip) {
    skipped_.records += work->num_bad;
    if (work->failure && skipped_.first.empty()) skipped_.first = work->failure->message();
  }
  push_batch();
}

void Batches::forget_ahead() {
  for (const auto& work : ahead_) work->given_up.store(true, std::memory_order_relaxed);
  engine::Engine::get().wait_for_turn(reader_->var.get(), engine::Wait::to_write,
                                      engine::Interrupts::ignored);
  ahead_.clear();
  // What was left out of batches that nobody gets is found again when it is read again.
  seen_records_ = reader_->skipped();
}

void Batches::reset() {
  forget_ahead();
  SamplePlace place = begin_;
  if (taken_) place = next_.epoch != epoch_ ? next_ : reader_->order->start(epoch_ + 1);
  epoch_ = place.epoch;
  begin_ = next_ = reader_->place = place;
  reader_->at_end = false;
  reader_->begins = true;
  taken_ = false;
}

BatchPlace Batches::place() const { return {epoch_, next_, taken_}; }

void Batches::set_place(const BatchPlace& place) {
  if (!reader_->order->has(place.next))
    fail(Status::invalid_argument, "[", who_,
         "] no place of this file in this order: sample=", place.next.sample, ", offset=", place.next.offset,
         ", chunk=", place.next.chunk, ", inside=", place.next.inside,
         "; expected one that the same file with the same options gave");
  forget_ahead();
  epoch_ = place.epoch;
  begin_ = next_ = reader_->place = place.next;
  reader_->at_end = place.next.epoch != place.epoch;
  reader_->begins = !place.taken;
  taken_ = place.taken;
}

}  // namespace mixgrad::io
