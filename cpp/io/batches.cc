#include "io/batches.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/error.h"
#include "engine/caller.h"
#include "io/decode_lane.h"
#include "io/stage_time.h"

namespace mixgrad::io {
namespace {

void add_skipped(const Skipped& more, Skipped* all) {
  if (more.records > 0 && all->first.empty()) all->first = more.first;
  all->records += more.records;
  all->bytes += more.bytes;
}

}  // namespace

Batches::Batches(std::unique_ptr<SampleOrder> order, std::unique_ptr<BatchMaker> maker,
                 const BatchOptions& options, const char* who)
    : maker_(std::move(maker)), options_(options), who_(who) {
  begin_ = next_ = order->start(0);
  if (leaves_rows(*order->source(), *maker_)) {
    row_readers_.resize(
        static_cast<size_t>(std::min<int64_t>(options_.preprocess_threads, options_.batch_size)));
    for (auto& reader : row_readers_) reader = std::make_shared<RowReader>();
  }
  reader_ = std::make_shared<BatchReader>(std::move(order), maker_, options_, who);
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
  work->from = from_;

  engine::Engine& engine = engine::Engine::get();
  engine::TaskInfo info;
  info.name = "read_records";
  info.lane = read_lane();
  engine::Var* const read_writes[] = {reader_->var(), work->read.get()};
  engine.push(
      [work, reader = reader_] {
        struct Done {
          BatchWork& work;
          ~Done() { work.set(&BatchWork::read_done); }
        } done{*work};
        reader->read(*work);
      },
      {reader_->var()}, read_writes, info);

  info.name = maker_->raw() ? "read_rows" : "decode_pictures";
  info.lane = decode_lane(options_.preprocess_threads);
  info.bytes = maker_->row_bytes() * static_cast<size_t>(options_.batch_size);
  const int64_t tasks = maker_->raw() ? static_cast<int64_t>(row_readers_.size())
                                      : std::min<int64_t>(options_.preprocess_threads, options_.batch_size);
  std::vector<engine::Var*> parts;
  for (int64_t i = 0; i < tasks; ++i) {
    work->parts.push_back(new_batch_tag());
    parts.push_back(work->parts.back().get());
    std::vector<engine::Var*> writes{parts.back()};
    std::shared_ptr<RowReader> rows;
    if (maker_->raw()) {
      rows = row_readers_[static_cast<size_t>(i)];
      writes.push_back(rows->tag.get());
    }
    engine.push(
        [work, maker = maker_, reader = reader_, rows] {
          ByteSource& source = *reader->order().source();
          if (rows)
            read_rows(*work, maker->row_bytes(), source, *rows);
          else
            make_rows(*work, *maker, source.name(), reader->who());
        },
        {work->read.get()}, Span<engine::Var* const>(writes), info);
  }
  parts.push_back(work->read.get());
  info.name = "finish_batch";
  engine::Var* const writes[] = {work->data.get(), work->labels.get()};
  engine.push(
      [work, maker = maker_, reader = reader_] {
        reader->forget_records(*work);
        finish_rows(*work, *maker);
      },
      Span<engine::Var* const>(parts), writes, info);
  ahead_.push_back(work);
  from_.reset();
}

// The first row that is being read: one that hangs is it soon, since the others come to their end.
std::optional<uint64_t> Batches::reading_row() const {
  uint64_t first = RowReader::idle;
  for (const auto& rows : row_readers_)
    first = std::min(first, rows->reading.load(std::memory_order_relaxed));
  return first == RowReader::idle ? std::nullopt : std::optional<uint64_t>(first);
}

void Batches::wait(BatchWork& work, bool finished) {
  using Clock = std::chrono::steady_clock;
  const StageTime time(finished ? "wait for pictures" : "wait for records", "program");
  const SampleOrder& order = reader_->order();
  std::optional<uint64_t> seen = order.reading();
  auto since = Clock::now();
  std::unique_lock<std::mutex> lock(work.mutex);
  const auto done = [&] { return finished ? work.finished : work.read_done; };
  if (done()) return;
  while (!work.changed.wait_for(lock, engine::interrupt_period, done)) {
    if (engine::heeds_interrupts() && engine::interrupted())
      fail(Status::stopped, "[", who_, "] interrupted while waiting for a batch");
    const std::optional<uint64_t> now = work.read_done ? reading_row() : order.reading();
    if (!now || now != seen) {
      seen = now;
      since = Clock::now();
      continue;
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - since).count();
    if (options_.stall_seconds > 0 && seconds > options_.stall_seconds)
      fail(Status::io, "[", who_, "] reading '", order.source()->name(), "' at ", *now, " of ",
           order.source()->bytes(), " bytes has given nothing for ", options_.stall_seconds,
           " seconds (stall_seconds)");
  }
}

bool Batches::next(PlacedBatch* out) {
  const auto most = static_cast<size_t>(options_.prefetch_buffer) + 1;
  for (;;) {
    // Waits come first: one that is interrupted loses nothing.
    while (ahead_.size() < most) push_batch();
    const std::shared_ptr<BatchWork> work = ahead_.front();
    wait(*work, false);
    wait(*work, true);
    if (work->unread) {
      // What was made behind it holds nothing.
      go_to({next_, next_.epoch != epoch_, !taken_});
      throw *work->unread;
    }
    if (options_.damaged == BatchOptions::Damaged::raise) {
      for (BatchDamage* damage : {&work->bad_records, &work->bad_rows}) {
        if (const std::optional<Error> error = damage->tell()) throw *error;
      }
    }
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

void Batches::take(const std::shared_ptr<BatchWork>& work) {
  ahead_.pop_front();
  next_ = work->end;
  taken_ = true;
  add_skipped(work->skipped, &skipped_);
  add_skipped({work->bad_rows.count(), 0, work->bad_rows.first()}, &skipped_);
  push_batch();
}

void Batches::go_to(const ReadFrom& from) {
  for (const auto& work : ahead_) work->given_up.store(true, std::memory_order_relaxed);
  ahead_.clear();
  from_ = from;
}

void Batches::reset() {
  SamplePlace place = begin_;
  if (taken_) place = next_.epoch != epoch_ ? next_ : reader_->order().start(epoch_ + 1);
  go_to({place, false, true});
  epoch_ = place.epoch;
  begin_ = next_ = place;
  taken_ = false;
}

BatchPlace Batches::place() const { return {epoch_, next_, taken_}; }

void Batches::set_place(const BatchPlace& place) {
  if (!reader_->order().has(place.next))
    fail(Status::invalid_argument, "[", who_,
         "] no place of this file in this order: sample=", place.next.sample, ", offset=", place.next.offset,
         ", chunk=", place.next.chunk, ", inside=", place.next.inside,
         "; expected one that the same file with the same options gave");
  go_to({place.next, place.next.epoch != place.epoch, !place.taken});
  epoch_ = place.epoch;
  begin_ = next_ = place.next;
  taken_ = place.taken;
}

}  // namespace mixgrad::io
