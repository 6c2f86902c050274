// The queue protocol of Vars: the only code that changes who may read and write them. See docs/engine.md.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/outcome.h"
#include "engine/task.h"

namespace mixgrad::engine {

// What the end of a task sets free. Delivered without holding any lock.
struct Released {
  TaskList ready;
  Link* waiters = nullptr;  // of Waiters, through Link::next
};

// What became of a task whose writes failed: its body ran; or it did not, and left everything spoilt, the values of what it changes,
// or those of what it writes anew, too.
enum class Left { ran, nothing, changed, replaced };

class VarProtocol {
 public:
  // Gives all keys to the caller if no other task stands in the way, or changes nothing and returns false.
  // `error` receives a reference to the error of the first key that is read and carries one, else null. `on_stream`: the
  // task's work goes to a stream; others are not granted Vars that streams still use.
  static bool try_grant(const Key* keys, std::size_t count, bool on_stream, ErrorRecord** error);
  // Appends the task to the queues of all its Vars in one step. True if it is ready now.
  static bool enqueue(Task* task);
  // A reference to the error of the first Var that a granted task reads, or null. `streams`: whether streams may still use some
  // of its Vars.
  static ErrorRecord* read_error(const Task* task, bool* streams);

  // Before the body of a granted task: what it gives to `stream` comes after what other streams do with its Vars. Without a
  // stream the thread waits for that. Throws std::bad_alloc, for tasks of streams.
  // Returns a reference to the error of the first Var read whose work is known to have failed, or null; `from` receives the
  // outcomes of those that are not known yet.
  static ErrorRecord* come_after_streams(const KeyList& keys, Stream* stream, const Asked& asked,
                                         std::vector<Ref<Outcome>>* from);
  // Behind the body of a task of a stream; without a stream in `event` nothing was given to it.
  static void note_event(const KeyList& keys, const Event& event, const Ref<Outcome>& outcome);
  // What streams are done with is no longer waited for; where their work failed the Var carries the error.
  // `granted`: to a task of the caller.
  static void drop_complete(Var* var, bool granted);
  static bool used_by_streams(const Var* var);
  // What a thread that waits so for a Var without tasks also waits for; at most Var::kMostEvents.
  static std::size_t events_of(const Var* var, Wait wait, Event* events);
  // Ends a task that was granted `key`. `failure` (borrowed, may be null) marks the Var if it was written.
  // True if the Var is to be destroyed with destroy() once the whole task is released.
  static bool release(Key key, ErrorRecord* failure, Left left, Released& released);
  static void destroy(Var* var);

  // True if a thread that waits so need not wait; `error` receives a reference or null.
  static bool ready_for(const Var* var, Wait wait, ErrorRecord** error);
  // The same, and otherwise appends the waiter.
  static bool enqueue_waiter(Var* var, Wait wait, Waiter* waiter);

  // Whether a value that stays has another error, of which who asks was not told.
  static bool hides_another(const Var* var, const ErrorRecord* error, const Asked& asked);
  static ErrorRecord* error_of(const Var* var, const Asked& asked);
  static void clear_error(Var* var);

 private:
  static void announce_event(Var* var);
  static Ref<Outcome> outcome_of(const Var* var);
};

}  // namespace mixgrad::engine
