// A store of arrays by key, through which the devices of a machine, and the machines of a cluster, share weights.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "array/array.h"
#include "kvstore/compression/compression.h"
#include "kvstore/key.h"

namespace mixgrad {
class WorkerLink;
}  // namespace mixgrad

namespace mixgrad::kvstore {

// One array of a call. A key that occurs several times in a call stands for several devices.
struct Entry {
  Key key;
  Array* array;
};

// Changes `stored` by what was pushed. It runs in the pushing thread, once per key and push in the order of the calls,
// and is expected to push its work to the engine; both arrays are on one device. `received` is only valid during the
// call and may be an array that the user pushed: it must not be written. It has the dtype of what was pushed, and is row_sparse
// if all of that was.
using Updater = std::function<void(const Key& key, Array& received, Array& stored)>;

// What a server keeps for its part of a value, as the bytes that its updater made.
struct StatePart {
  uint32_t parts = 0;             // of the value
  uint64_t first = 0, count = 0;  // elements of the value
  std::string data;
};
struct NewState {
  Key key;
  uint32_t part = 0;
  std::string data;
};

// What every kind of store does. Calls push work to the engine and return; what they read and write are the Vars of the
// arrays, so the result is that of the calls in order whatever runs in parallel. Any thread may call. Priorities are those
// of engine::TaskInfo.
class Store {
 public:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store() = default;

  virtual const std::string& type() const = 0;
  // Which process of how many this is.
  virtual int rank() const = 0;
  virtual int num_workers() const = 0;
  // Blocks until every worker is here.
  virtual void barrier() = 0;

  // Values and outs are dense or row_sparse, each as it likes; what is stored keeps the storage type and dtype of its first
  // value. Work on row_sparse arrays reads their indices, for which it waits.

  // Gives keys their first values, which are copied. Of several workers, rank 0's values count.
  virtual void init(Span<const Entry> values) = 0;
  // Sums the values of each key over devices and workers, then hands the sum to the updater, or stores it if there is
  // none.
  virtual void push(Span<const Entry> values, int priority) = 0;
  // Copies stored values.
  virtual void pull(Span<const Entry> outs, int priority) = 0;
  // push, then pull.
  virtual void push_pull(Span<const Entry> values, Span<const Entry> outs, int priority) = 0;
  // init, then pull.
  virtual void broadcast(Span<const Entry> values, Span<const Entry> outs, int priority) = 0;
  // Gives row_sparse outs, one after another, the rows that `rows` names: numbers of any dtype and in any order, as many arrays as
  // outs. Blocks until they are read.
  virtual void pull_rows(Span<const Entry> outs, Span<Array* const> rows, int priority) = 0;

  // An empty function removes it.
  virtual void set_updater(Updater updater) = 0;
  // Gradients of later pushes go compressed, each device's with what was lost of its earlier ones. They must be dense float32 ones then.
  // Of several workers all must call it, with the same settings, and it returns when all have. Throws Status::unsupported for stores
  // whose gradients do not travel.
  virtual void set_compression(const Compression& compression);

  // Between processes only; others throw Status::unsupported.
  // Data that make an updater on every server.
  virtual void send_rule(const std::string& data);
  // What the updater of a part of a key's value keeps, with all updates of this worker in it. Blocks.
  virtual StatePart state(const Key& key, uint32_t part);
  // The way back, of rank 0's. Every worker calls it, and it returns when all have.
  virtual void set_states(Span<const NewState> states);
  // Of stores without servers only.
  // Which worker keeps what the updater knows of a key.
  virtual int owner(const Key& key);
  // The data of the worker `from`, in worker 0; nothing in others. Every worker calls it, and it blocks.
  virtual std::string hand_over(int from, const std::string& data);
  // For executors of graphs over the workers.
  virtual std::shared_ptr<WorkerLink> link();
  // Synchronous updates that were over when this process gave its keys their first values: not 0 for one that takes the place of one
  // that ended, whose next update is the one after them.
  virtual uint64_t rounds_done() const { return 0; }
  // Others wait for this worker no more. Its calls fail from then on. Blocks. Throws Status::io where an update of this worker failed.
  virtual void leave() {}
  // The end of a worker's program: leave(), at once or when its process ends with code 0; with another, others wait for who takes its
  // place. Where an update failed, so does this, and the process ends with a code other than 0.
  virtual void end(bool /*at_exit*/) {}
  // Goes without a word, as a process that is killed does: others wait for who takes its place. Its calls fail from then on.
  virtual void abandon() {}
};

// By type as MXNet spells it, case ignored: "local", "local_update_cpu", "local_allreduce_cpu" keep values on the host,
// "device", "local_allreduce_device" on the devices that push. Throws Status::unsupported, saying what is missing, for
// types that need a library that is not there; Status::invalid_argument for unknown ones. "dist_sync" and its kin are shared by
// the processes that the environment names, and wait for them (distributed/distributed_store.h), as is "collective", which has no
// servers (collective/collective_store.h).
std::unique_ptr<Store> make_store(const std::string& type);

}  // namespace mixgrad::kvstore
