// Updates of a store of several processes: sums of the devices here, sent to servers.
#include <algorithm>

#include "array/sparse.h"
#include "base/error.h"
#include "exec/imperative/mode.h"
#include "exec/sparse/sparse.h"
#include "kvstore/compression/codec.h"
#include "kvstore/distributed/distributed_calls.h"
#include "kvstore/distributed/encoded_array.h"
#include "kvstore/reduce.h"

namespace mixgrad::kvstore {
namespace {

using protocol::Actions;
using protocol::Outcome;
using protocol::Ticket;
using protocol::Time;

// A part of a sum as fewer bytes, in memory of their own. What is lost stays in `residual`, of as many elements as the sum.
protocol::Value compressed_part(const Compression& compression, const float* sum, float* residual,
                                const Piece& piece) {
  const uint64_t bytes = compressed_bytes(compression, piece.count);
  const std::shared_ptr<uint64_t[]> words(new uint64_t[bytes / sizeof(uint64_t) + 1]);
  protocol::Value value;
  value.format = compress(compression, sum + piece.first, residual + piece.first, piece.count, words.get());
  value.payload = net::Payload(words.get(), bytes, words);
  return value;
}

}  // namespace

void DistributedStore::push(Span<const Entry> values, int priority) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  for (const Group& group : grouped(values, "kvstore.push", true)) push_group(group, priority);
}

// Sums the devices, into memory of its own: what is sent does not change, and the gradients may be overwritten at once.
void DistributedStore::push_group(const Group& group, int priority) {
  const Unrecorded quiet;
  Stored& stored = *group.value;
  const bool any_sparse = std::any_of(group.arrays.begin(), group.arrays.end(),
                                      [](const Array* array) { return array->sparse(); });
  if (compression_.is_on()) {
    if (any_sparse || stored.is_rows || stored.dtype != DType::float32) {
      fail(Status::unsupported, "[kvstore.push] key ", group.key, ": got a ",
           any_sparse || stored.is_rows ? "row_sparse" : "dense", " gradient of ", name_of(stored.dtype),
           "; gradients are compressed as ", compression_.str(),
           ", for which dense float32 ones are expected");
    }
    if (!stored.residual)
      stored.residual = std::make_shared<std::vector<float>>(static_cast<size_t>(stored.shape.size()));
  }
  ArrayRef sum;
  if (any_sparse) {
    sum = sum_of(group.arrays, Device::cpu());
    if (sum.get() == group.arrays[0]) sum = sparse_snapshot(*sum);
    if (sum->dtype() != stored.dtype) {
      const ArrayRef cast = empty_sparse(Storage::row_sparse, stored.shape, stored.dtype, Device::cpu());
      const ArrayRef target = sum->sparse() ? cast : Array::empty(stored.shape, stored.dtype, Device::cpu());
      copy_any(*sum, *target, priority);
      sum = target;
    }
    if (sum->sparse() && stored.pieces.size() > 1) sum = sparse::to_storage(*sum, Storage::dense);
  } else {
    const DType dtype = group.arrays[0]->dtype();
    const bool travels = dtype == stored.dtype && !compression_.is_on();
    sum = travels ? sendable_array(stored.shape, dtype) : Array::empty(stored.shape, dtype, Device::cpu());
    sum_into(group.arrays, *sum, priority);
    if (dtype != stored.dtype) {
      const ArrayRef cast = sendable_array(stored.shape, stored.dtype);
      copy_into(*sum, *cast, priority);
      sum = cast;
    }
  }
  send_update(group, sum, priority);
}

void DistributedStore::send_update(const Group& group, const ArrayRef& sum, int priority) {
  Stored& stored = *group.value;
  const auto ending = std::make_shared<Ending>();
  const Ref<Turn> sent = Turn::make();
  ending->left = stored.pieces.size();
  std::shared_ptr<const protocol::Value> rows;
  if (sum->sparse()) rows = std::make_shared<const protocol::Value>(encoded_array(sum));
  const auto send = [driver = driver_, sum, rows, ending, priority, pieces = stored.pieces,
                     compression = compression_, residual = stored.residual, failures = failures_,
                     failure = stored.failure, updates = updates_, name = text("key ", group.key)] {
    std::vector<protocol::PushRequest> requests;
    for (const Piece& piece : pieces) {
      protocol::PushRequest request;
      request.piece = piece.id;
      request.priority = priority;
      if (rows) {
        request.value = *rows;
      } else {
        protocol::Value& value = request.value;
        const size_t size = size_of(sum->dtype());
        value.format.dtype = static_cast<uint8_t>(sum->dtype());
        value.format.elements = piece.count;
        sum->chunk().ensure_for_reading();
        const char* const data = static_cast<const char*>(sum->chunk().data()) + sum->offset();
        if (compression.is_on()) {
          value = compressed_part(compression, reinterpret_cast<const float*>(data), residual->data(), piece);
          requests.push_back(std::move(request));
          continue;
        }
        value.payload = net::Payload(data + piece.first * size, piece.count * size,
                                     std::make_shared<const ArrayRef>(sum));
      }
      if (request.value.payload.bytes > kMaxPartBytes) {
        fail(Status::unsupported, "[kvstore.push] ", name, " sends ", request.value.payload.bytes,
             " bytes to one server; expected at most ", kMaxPartBytes);
      }
      requests.push_back(std::move(request));
    }
    updates->begin();
    driver->call([&](Machine& machine, Time now, Actions& actions) {
      const std::vector<Ticket> tickets =
          static_cast<WorkerMachine&>(machine).get().push(now, requests, actions);
      for (size_t i = 0; i < tickets.size(); ++i) {
        driver->expect(tickets[i],
                       [ending, failures, failure, updates, name, id = pieces[i].id](Outcome& outcome) {
                         {
                           const std::lock_guard<std::mutex> lock(ending->mutex);
                           if (outcome.status != Status::ok && ending->status == Status::ok) {
                             ending->status = outcome.status;
                             ending->message = "[kvstore.push] " + with_key(outcome.message, id, name);
                             const std::lock_guard<std::mutex> guard(*failures);
                             if (failure->empty()) *failure = ending->message;
                           }
                           if (--ending->left > 0) return;
                           ending->is_over = true;
                         }
                         updates->end();
                         ending->tell();
                       });
      }
    });
  };
  const auto wait = [ending] {
    {
      const std::lock_guard<std::mutex> lock(ending->mutex);
      ending->completion = engine::Completion::begin();
      ending->is_begun = true;
    }
    ending->tell();
  };
  engine::Engine& engine = engine::Engine::get();
  engine::Var* const reads[] = {&sum->chunk()};
  engine::Var* const writes[] = {stored.turn.get(), sent.get()};
  const Span<engine::Var* const> values(reads);
  // What needs no work leaves in this thread.
  engine::TaskInfo sending = network_task("kvstore_send", priority);
  sending.inline_ok = !compression_.is_on();
  engine.push(send, rows ? Span<engine::Var* const>() : values, writes, sending);
  engine::TaskInfo info = network_task("kvstore_push", priority);
  info.deferred = info.inline_ok = true;
  engine::Var* const after[] = {sent.get()};
  engine::Var* const until[] = {stored.acknowledged.get()};
  engine.push(wait, after, until, info);
  for (Piece& piece : stored.pieces) piece.repeats = false;
}

}  // namespace mixgrad::kvstore
