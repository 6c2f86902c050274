// Values of a store of several processes on their way to the arrays of a worker.
#include <algorithm>
#include <cstring>
#include <utility>

#include "array/sparse.h"
#include "base/error.h"
#include "exec/imperative/mode.h"
#include "exec/sparse/sparse.h"
#include "kvstore/distributed/distributed_calls.h"
#include "kvstore/distributed/encoded_array.h"
#include "kvstore/reduce.h"

namespace mixgrad::kvstore {
namespace {

using protocol::Actions;
using protocol::Outcome;
using protocol::Ticket;
using protocol::Time;

}  // namespace

void DistributedStore::pull(Span<const Entry> outs, int priority) {
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  for (const Group& group : grouped(outs, "kvstore.pull", false)) pull_group(group, priority);
}

void DistributedStore::pull_group(const Group& group, int priority) {
  const Unrecorded quiet;
  const Stored& stored = *group.value;
  // What comes is stored in the first array that has its form, and copied to the others.
  ArrayRef target;
  for (Array* out : group.arrays) {
    if (target || stored.is_rows || out->sparse() || out->dtype() != stored.dtype || !out->device().is_host())
      continue;
    target = ArrayRef(out);
  }
  if (!target) {
    target = stored.is_rows ? empty_sparse(Storage::row_sparse, stored.shape, stored.dtype, Device::cpu())
                            : Array::empty(stored.shape, stored.dtype, Device::cpu());
  }
  struct Pulling {
    std::mutex mutex;
    engine::Completion completion;
    Status status = Status::ok;
    std::string message;
    size_t left = 0;
  };
  const auto body = [driver = driver_, target, pieces = stored.pieces, priority, failures = failures_,
                     failure = stored.failure, name = text("key ", group.key)] {
    {
      const std::lock_guard<std::mutex> guard(*failures);
      if (!failure->empty()) fail(Status::io, "[kvstore.pull] an update before it failed: ", *failure);
    }
    const bool is_rows = target->sparse();
    char* data = nullptr;
    if (!is_rows) {
      target->chunk().ensure();
      data = static_cast<char*>(target->chunk().data()) + target->offset();
    }
    const auto pulling = std::make_shared<Pulling>();
    pulling->left = pieces.size();
    pulling->completion = engine::Completion::begin();
    driver->call([&](Machine& machine, Time now, Actions& actions) {
      for (const Piece& piece : pieces) {
        protocol::PullRequest request;
        request.piece = piece.id;
        request.priority = priority;
        protocol::Worker& worker = static_cast<WorkerMachine&>(machine).get();
        request.exact = piece.repeats;
        request.round = worker.next_number(piece.id) - 1;
        const Ticket ticket = worker.pull(now, std::move(request), actions);
        driver->expect(ticket, [pulling, target, data, piece, is_rows, name](Outcome& outcome) {
          std::string wrong;
          if (outcome.status != Status::ok) {
            wrong = "[kvstore.pull] " + with_key(outcome.message, piece.id, name);
          } else {
            const size_t size = size_of(target->dtype());
            const Shape part = is_rows ? target->shape() : Shape({static_cast<int64_t>(piece.count)});
            wrong = wrong_with(outcome.value, part, target->dtype());
            const bool fits = (outcome.value.format.encoding == protocol::Encoding::rows) == is_rows;
            if (wrong.empty() && !fits) wrong = "got values of another storage type";
            if (!wrong.empty()) {
              wrong = text("[kvstore.pull] ", name, ": ", wrong);
              outcome.status = Status::format;
            } else if (is_rows) {
              target->chunk().set_parts(decoded_array(outcome.value, part, target->dtype())->chunk().parts());
            } else if (piece.count > 0) {
              std::memcpy(data + piece.first * size, outcome.value.payload.data, piece.count * size);
            }
          }
          engine::Completion ended;
          {
            const std::lock_guard<std::mutex> lock(pulling->mutex);
            if (outcome.status != Status::ok && pulling->status == Status::ok) {
              pulling->status = outcome.status;
              pulling->message = wrong;
            }
            if (--pulling->left > 0) return;
            ended = std::move(pulling->completion);
          }
          if (pulling->status == Status::ok) {
            ended.done();
          } else {
            ended.failed(pulling->status, pulling->message);
          }
        });
      }
    });
  };
  engine::TaskInfo info = network_task("kvstore_pull", priority);
  info.deferred = info.inline_ok = true;
  engine::Var* const reads[] = {stored.turn.get(), &target->chunk()};
  engine::Var* const writes[] = {&target->chunk()};
  const Span<engine::Var* const> all(reads);
  // A part of a chunk keeps the rest: then the write also reads.
  const bool whole = target->sparse() || target->whole_chunk();
  engine::Engine::get().push(body, whole ? Span<engine::Var* const>(reads, 1) : all, writes, info);
  // What rows there are is known when they have come.
  if (stored.is_rows) engine::Engine::get().wait_for_var(&target->chunk(), engine::Wait::to_read);
  for (Array* out : group.arrays) {
    if (out != target.get()) copy_any(*target, *out, priority);
  }
}

void DistributedStore::pull_rows(Span<const Entry> outs, Span<Array* const> rows, int priority) {
  static constexpr const char* kFunction = "kvstore.row_sparse_pull";
  const std::lock_guard<std::recursive_mutex> lock(mutex_);
  const Unrecorded quiet;
  grouped(outs, kFunction, false);
  std::vector<std::vector<int64_t>> numbers;
  for (size_t i = 0; i < outs.size(); ++i) {
    const Entry& out = outs[i];
    const Stored& stored = values_.at(out.key);
    if (!out.array->sparse()) {
      fail(Status::unsupported, "[", kFunction, "] key ", out.key,
           ": got a dense array; expected one of storage type row_sparse");
    }
    if (stored.pieces.size() > 1) {
      fail(Status::unsupported, "[", kFunction, "] key ", out.key, " is dense and lies on ",
           stored.pieces.size(),
           " servers; expected a first value of storage type row_sparse, or MXNET_KVSTORE_BIGARRAY_BOUND "
           "above ",
           stored.shape.size());
    }
    std::vector<int64_t> wanted = sparse::integers_of(ArrayRef(rows[i]));
    for (const int64_t row : wanted) {
      if (row < 0 || row >= stored.shape[0])
        fail(Status::index, "[", kFunction, "] key ", out.key, " has ", stored.shape[0], " rows; got row ",
             row);
    }
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    numbers.push_back(std::move(wanted));
  }
  for (const Entry& out : outs)
    engine::Engine::get().wait_for_var(values_.at(out.key).turn.get(), engine::Wait::to_read);
  const auto wait = std::make_shared<Wait>(outs.size());
  driver_->call([&](Machine& machine, Time now, Actions& actions) {
    for (size_t i = 0; i < outs.size(); ++i) {
      const protocol::Value wanted = encoded_rows(numbers[i]);
      protocol::PullRequest request;
      request.piece = values_.at(outs[i].key).pieces[0].id;
      request.priority = priority;
      request.format = wanted.format;
      request.rows = wanted.payload;
      driver_->expect(worker_of(machine).pull(now, std::move(request), actions), wait->at(wait, i));
    }
  });
  const std::vector<Outcome> outcomes = wait_for(wait, kFunction);
  for (size_t i = 0; i < outs.size(); ++i) {
    const Stored& stored = values_.at(outs[i].key);
    const std::string wrong = wrong_with(outcomes[i].value, stored.shape, stored.dtype);
    if (!wrong.empty()) fail(Status::format, "[", kFunction, "] key ", outs[i].key, ": ", wrong);
    copy_any(*decoded_array(outcomes[i].value, stored.shape, stored.dtype), *outs[i].array, priority);
  }
}

}  // namespace mixgrad::kvstore
