#include "interpreter.h"

#include <cxxabi.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>

#include "exchange.h"

namespace py = pybind11;

namespace mixgrad_python {
namespace {

// Counts interpreters as they begin and end: odd while there is one.
std::atomic<unsigned> interpreter_number{0};

// Threads of the library's own that run functions of Python, and whether more of them may: not from when an interpreter ends.
std::atomic<int> foreign_threads{0};
std::atomic<bool> foreign_refused{false};

// How many callbacks this thread is inside of, if it is one of the library's.
thread_local int foreign_depth = 0;

// Whether the interpreter ended while reads were under way.
std::atomic<bool> reads_given_up{false};

// Under the interpreter's lock.
SourceRead* last_read = nullptr;

std::atomic<unsigned> forks{0};
[[maybe_unused]] const int fork_hook = pthread_atfork(nullptr, nullptr, [] {
  forks.fetch_add(1, std::memory_order_relaxed);
  foreign_threads.store(0);  // they are not in the child
  last_read = nullptr;
});

[[noreturn]] void sleep_for_ever() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

// Runs fn(), a call of CPython that may want to end this thread.
template <class Fn>
auto or_sleep(Fn&& fn) {
#if defined(__GLIBCXX__)
  try {
    return fn();
  } catch (const abi::__forced_unwind&) {
    sleep_for_ever();
  }
#else
  return fn();
#endif
}

bool has_interpreter() { return interpreter_number.load(std::memory_order_acquire) % 2 == 1; }

}  // namespace

std::string unfinished_reads(size_t* count);

namespace {

void* leave_lock() {
  if (!Py_IsInitialized() || !PyGILState_Check()) return nullptr;
  return new (std::nothrow) Outside;
}
void take_lock(void* state) { delete static_cast<Outside*>(state); }

// Signals are handled by functions of Python, which run in its main thread when this asks for it. Other threads must not ask
// for the lock: one that writes a file while the interpreter ends would not finish it.
std::atomic<unsigned long> main_thread{0};
void note_main_thread() { main_thread.store(PyThread_get_thread_ident()); }

int32_t signals_interrupt() {
  if (!has_interpreter() && reads_given_up.load()) return 1;  // nor does the engine wait for them then
  if (!has_interpreter() || PyThread_get_thread_ident() != main_thread.load()) return 0;
  const Inside inside;
  // With an exception under way its handler comes first.
  return inside && !PyErr_Occurred() && or_sleep([] { return PyErr_CheckSignals(); }) != 0;
}

// Objects that refer to each other keep their arrays until the interpreter's collector finds them; it counts objects, not what
// arrays weigh. gc.disable() turns this off, too.
void collect_garbage(void*) {
  if (has_interpreter() && PyGILState_Check() && !foreign_refused.load()) PyGC_Collect();
}

// A warning of the library's, in Python's main thread. Where warnings are errors nobody called what could raise it.
int show_warning(void* message) {
  char* const text = static_cast<char*>(message);
  PyObject* const shown = PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(std::strlen(text)), "replace");
  std::free(text);
  if (!shown || PyErr_WarnFormat(PyExc_UserWarning, 1, "%U", shown) != 0) PyErr_WriteUnraisable(Py_None);
  Py_XDECREF(shown);
  return 0;
}

// The thread may be any, with or without the lock, so Python is asked to do it soon.
void queue_warning(const char* message) {
  if (!has_interpreter() || foreign_refused.load()) return;
  char* const copy = strdup(message);
  if (copy && Py_AddPendingCall(show_warning, copy) != 0) std::free(copy);
}

// Run by Python's atexit, while everything still works.
void interpreter_ends() {
  foreign_refused.store(true);
  constexpr int kMostMilliseconds = 10000, kMostForReads = 1500;
  for (int i = 0; i < kMostMilliseconds && foreign_threads.load() > 0; ++i) {
    if (i >= kMostForReads && i % 100 == 0) {
      size_t count = 0;
      const std::string reads = unfinished_reads(&count);
      if (count > 0 && static_cast<int>(count) >= foreign_threads.load()) {
        if (PyErr_WarnFormat(
                PyExc_UserWarning, 1,
                "[exit] the program ends, and does not wait longer for %s, which is still being read",
                reads.c_str()) != 0)
          PyErr_WriteUnraisable(Py_None);
        reads_given_up.store(true);
        return;
      }
    }
    const Outside outside;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// Run by Py_Finalize as the last thing.
void interpreter_ended() { interpreter_number.fetch_add(1, std::memory_order_acq_rel); }

}  // namespace

bool ends_with_interpreter() {
  return foreign_refused.load() && PyThread_get_thread_ident() != main_thread.load();
}

unsigned fork_number() { return forks.load(std::memory_order_relaxed); }

void wait_for_end() {
  PyEval_SaveThread();
  sleep_for_ever();
}

Outside::Outside() : interpreter_(interpreter_number.load()), state_(PyEval_SaveThread()) {}

Outside::~Outside() {
  if (interpreter_ != interpreter_number.load(std::memory_order_acquire)) sleep_for_ever();
  or_sleep([this] { PyEval_RestoreThread(state_); });
}

Inside::Inside() : foreign_(!has_interpreter() || !PyGILState_GetThisThreadState()) {
  if (foreign_) {
    ++foreign_depth;
    foreign_threads.fetch_add(1);  // before the look, as interpreter_ends() does it the other way round
    if (foreign_refused.load() || !has_interpreter()) {
      foreign_threads.fetch_sub(1);
      --foreign_depth;
      return;
    }
  } else if (ends_with_interpreter()) {
    return;  // CPython would end the thread, which has a task to finish
  }
  state_ = or_sleep([] { return PyGILState_Ensure(); });
  locked_ = true;
}

Inside::~Inside() {
  if (!locked_) return;
  PyGILState_Release(state_);
  if (!foreign_) return;
  foreign_threads.fetch_sub(1);
  --foreign_depth;
}

SourceRead::SourceRead(const std::string& name, uint64_t offset)
    : name_(name), offset_(offset), foreign_(foreign_depth > 0) {
  if (!foreign_) return;
  before_ = last_read;
  if (before_) before_->after_ = this;
  last_read = this;
}

SourceRead::~SourceRead() {
  if (!foreign_) return;
  if (before_) before_->after_ = after_;
  (after_ ? after_->before_ : last_read) = before_;
}

std::string unfinished_reads(size_t* count) {
  constexpr size_t kMostNamed = 3;
  std::string text;
  for (const SourceRead* read = last_read; read; read = read->before_) {
    if (++*count > kMostNamed) continue;
    text += (text.empty() ? "'" : ", '") + read->name_ + "' at " + std::to_string(read->offset_);
  }
  if (*count > kMostNamed) text += " and " + std::to_string(*count - kMostNamed) + " more";
  return text;
}

py::object call_python(const py::handle& fn, std::initializer_list<py::object> arguments) {
  py::tuple tuple(arguments.size());
  size_t at = 0;
  for (const py::object& argument : arguments) tuple[at++] = argument;
  PyObject* const result = or_sleep([&] { return PyObject_CallObject(fn.ptr(), tuple.ptr()); });
  if (!result) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(result);
}

void begin_interpreter() {
  interpreter_number.fetch_add(1, std::memory_order_acq_rel);
  foreign_refused.store(false);
  reads_given_up.store(false);
  check_status(mg_engine_set_blocking_hooks(leave_lock, take_lock));
  check_status(mg_engine_set_interrupt_hook(signals_interrupt));
  check_status(mg_memory_set_collector(collect_garbage, nullptr, 0));
  check_status(mg_warning_set_handler(queue_warning));
  if (Py_AtExit(interpreter_ended) != 0)
    throw std::runtime_error("[mixgrad] Python has no room for a function at its end");
  py::module_::import("atexit").attr("register")(py::cpp_function(interpreter_ends));
  main_thread.store(
      py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>());
  const py::object at_fork = py::module_::import("os").attr("register_at_fork");
  at_fork(py::arg("after_in_child") = py::cpp_function(note_main_thread));
}

}  // namespace mixgrad_python
