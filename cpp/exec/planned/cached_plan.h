// What the calls of a cached graph with arrays of certain shapes, dtypes and devices run in one mode.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/fork_mutex.h"
#include "exec/planned/program.h"

namespace mixgrad {

struct CachedPlanOptions {
  std::string name;
  PassOptions passes;
  RecomputeOptions recompute;
  bool open_zeros;  // as InferOptions has it
};

// Threads: any number may call at once.
class CachedPlan : public Counted<CachedPlan> {
 public:
  // `variables`: arrays of the symbol's arguments, then of its auxiliary states. Planned for the thread's mode, with gradients of
  // the arguments that are on the tape while it records.
  CachedPlan(const Symbol& symbol, Span<Array* const> variables, Device device,
             const CachedPlanOptions& options);
  ~CachedPlan();

  // Whether it is what a call with these arrays runs now.
  bool serves(Span<Array* const> variables, Device device) const;
  // Fills `outputs` with new arrays, and records the call if it has gradients.
  void call(Span<Array* const> variables, Span<ArrayRef> outputs);

  std::atomic<uint64_t> last_used{0};

 private:
  friend class CachedGradient;
  // A program and the memory that it works in: of one call at a time, until its gradient has been computed.
  struct Flight {
    Ref<Program> program;
    ArenaSet arenas;
    std::vector<Ref<Arena>> by_number;  // of the memory plan
    Flight* next = nullptr;             // of those that are free
  };
  class Lease {
   public:
    Lease() = default;
    explicit Lease(const Ref<CachedPlan>& plan) : plan_(plan), flight_(plan->take()) {}
    Lease(Lease&& other) noexcept : plan_(std::move(other.plan_)), flight_(other.flight_) {
      other.flight_ = nullptr;
    }
    Lease& operator=(Lease&& other) noexcept {
      std::swap(plan_, other.plan_);
      std::swap(flight_, other.flight_);
      return *this;
    }
    ~Lease() {
      if (flight_) plan_->give_back(flight_);
    }
    Flight* operator->() const { return flight_; }
    explicit operator bool() const { return flight_ != nullptr; }

   private:
    Ref<CachedPlan> plan_;
    Flight* flight_ = nullptr;
  };
  struct Described {
    Shape shape;
    DType dtype;
    Device device;
    bool wanted;  // its gradient; of arguments
  };
  // A head that passes found to be another value: that of a variable, or of another head.
  struct HeadCopy {
    uint32_t head, from;
    bool from_variable;
  };

  void number_slots();
  Flight* take();
  void give_back(Flight* flight) noexcept;
  Ref<Bindings> bind(const Flight& flight, Span<Array* const> variables, Span<const ArrayRef> outputs) const;
  void make_outputs(Span<ArrayRef> outputs) const;
  Described described(const Array& array, bool argument) const;
  bool has_gradients() const { return num_wanted_ > 0; }
  const char* name() const { return options_.name.c_str(); }

  const Symbol symbol_;
  const CachedPlanOptions options_;
  const Device device_;  // whose random numbers it draws
  const bool training_;
  size_t num_arguments_ = 0, num_wanted_ = 0;
  std::vector<Described> variables_, outputs_;
  Ref<Program> program_;  // of the first flight; those of others are made from it
  // Of program_ and its copies.
  std::vector<uint32_t> variable_slots_, head_slots_, gradient_slots_, head_gradient_slots_;
  std::vector<bool> backward_slots_;  // what the backward part reads
  std::vector<HeadCopy> copies_;
  std::string variable_name(size_t i) const;

  ObjectMutex mutex_;  // guards free_, which is whole at any moment
  Flight* free_ = nullptr;
};

}  // namespace mixgrad
