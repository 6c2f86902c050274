// Leaves with code 7, in the state that its argument names, while work is queued. "states" lists them. LEAVE_ONEDNN names the
// file of a oneDNN to be used.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "mixgrad/mixgrad.h"

namespace {

constexpr int kCode = 7, kWrong = 90;
constexpr int64_t kSide = 1000;  // where oneDNN is loaded it computes products of this size

void ok(mg_status status) {
  if (status == MG_STATUS_OK) return;
  std::fprintf(stderr, "leave: %s\n", mg_last_error());
  _exit(kWrong);
}

mg_array* apply(const char* name, std::vector<mg_array*> inputs, const char* param = nullptr,
                mg_value value = {}) {
  const mg_op* op = nullptr;
  mg_array* out = nullptr;
  int32_t outputs = 1;
  ok(mg_op_find(name, &op));
  ok(mg_op_call(op, static_cast<int32_t>(inputs.size()), inputs.data(), param ? 1 : 0, &param, &value,
                &outputs, &out));
  return out;
}

mg_array* filled(std::vector<int64_t> shape) {
  mg_array* out = nullptr;
  ok(mg_array_create(shape.data(), static_cast<int32_t>(shape.size()), MG_DTYPE_FLOAT32, {MG_DEVICE_CPU, 0},
                     &out));
  int32_t outputs = 1;
  const mg_op* op = nullptr;
  ok(mg_op_find("ones_like", &op));
  mg_array* result = nullptr;
  ok(mg_op_call(op, 1, &out, 0, nullptr, nullptr, &outputs, &result));
  mg_array_destroy(out);
  return result;
}

void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }
// Another moment in every process.
int some_ms(int most) { return static_cast<int>(getpid() * 7919u % static_cast<unsigned>(most)); }

// Products that wait for each other; none of them has begun, or the first, or a later one.
mg_array* queue(int count = 12) {
  mg_array* a = filled({kSide, kSide});
  mg_array* b = apply("dot", {a, a});
  for (int i = 1; i < count; ++i) b = apply("dot", {a, b});
  sleep_ms(some_ms(3) * some_ms(20));
  return b;
}

template <class F>
void in_thread(F&& run) {
  std::thread(run).detach();
}

int child_code(void (*leave)(int)) {
  const pid_t child = fork();
  if (child == 0) {
    queue();
    leave(3);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// An operator with its gradient, recorded.
mg_array* recorded(mg_array* x) {
  ok(mg_array_attach_grad(x, nullptr, MG_GRAD_REQ_WRITE));
  ok(mg_autograd_set_recording(1, nullptr));
  mg_array* y = apply("dot", {x, x});
  y = apply("sum", {apply("dot", {y, x})});
  ok(mg_autograd_set_recording(0, nullptr));
  return y;
}

mg_status custom_backward(void* context, int32_t, mg_array* const* out_grads, int32_t, mg_array** in_grads) {
  if (context) std::exit(kCode);
  in_grads[0] = apply("dot", {out_grads[0], out_grads[0]});
  return MG_STATUS_OK;
}

int custom(void* context) {
  mg_array* x = filled({kSide, kSide});
  ok(mg_array_attach_grad(x, nullptr, MG_GRAD_REQ_WRITE));
  mg_array* y = queue(2);
  const mg_custom_function function = {sizeof function, "custom", context, custom_backward, nullptr};
  ok(mg_autograd_set_recording(1, nullptr));
  ok(mg_autograd_record_custom(&function, 1, &x, 1, &y));
  mg_array* z = apply("dot", {y, y});
  ok(mg_autograd_set_recording(0, nullptr));
  ok(mg_autograd_backward(1, &z, nullptr, 0, 0));
  return kCode;
}

mg_executor* bound() {
  mg_symbol *data = nullptr, *net = nullptr;
  ok(mg_symbol_create_variable("data", 0, nullptr, nullptr, &data));
  const mg_op* op = nullptr;
  ok(mg_op_find("dot", &op));
  const mg_symbol* inputs[2] = {data, data};
  ok(mg_symbol_call(op, nullptr, 2, nullptr, inputs, 0, nullptr, nullptr, 0, nullptr, nullptr, &net));
  mg_array *value = filled({kSide, kSide}), *gradient = filled({kSide, kSide});
  mg_executor_arrays arrays{};
  arrays.size = sizeof arrays;
  arrays.num_arguments = 1;
  arrays.arguments = &value;
  arrays.gradients = &gradient;
  mg_executor* executor = nullptr;
  ok(mg_executor_bind(net, &arrays, {MG_DEVICE_CPU, 0}, nullptr, &executor));
  return executor;
}

mg_status update(void*, const mg_value*, mg_array* received, mg_array*) {
  apply("dot", {received, received});
  return MG_STATUS_OK;
}

mg_array* convolved(mg_array* data) {
  const mg_value kernel_items[2] = {{MG_VALUE_INTEGER, 0, {3}}, {MG_VALUE_INTEGER, 0, {3}}};
  mg_value values[4] = {};
  values[0].kind = MG_VALUE_TUPLE, values[0].num_items = 2, values[0].as.items = kernel_items;
  values[1].kind = MG_VALUE_INTEGER, values[1].as.integer = 64;
  values[2].kind = MG_VALUE_BOOLEAN, values[2].as.integer = 1;
  const char* names[3] = {"kernel", "num_filter", "no_bias"};
  mg_array *inputs[2] = {data, filled({64, 64, 3, 3})}, *out = nullptr;
  ok(mg_array_attach_grad(inputs[1], nullptr, MG_GRAD_REQ_WRITE));
  const mg_op* op = nullptr;
  int32_t outputs = 1;
  ok(mg_op_find("Convolution", &op));
  ok(mg_op_call(op, 2, inputs, 3, names, values, &outputs, &out));
  return out;
}

const char* scratch_file() {
  const char* path = std::getenv("LEAVE_FILE");
  return path ? path : "/dev/null";
}

void save(mg_array* array) { ok(mg_arrays_save(scratch_file(), "params", 1, &array, nullptr)); }

void push_and_read() {
  float value = 0;
  mg_array* small = apply("sum", {apply("dot", {filled({200, 200}), filled({200, 200})})});
  const mg_status status = mg_array_copy_to(small, &value, sizeof value);
  if (status != MG_STATUS_OK || value != 200.f * 200 * 200) _exit(kWrong);
  queue(2);
}

struct Late {
  ~Late() {
    if (active) push_and_read();
  }
  bool active = false;
};
Late static_object;
thread_local Late thread_object;

std::map<std::string, int (*)()> states() {
  return {
      {"return", [] { return queue(), kCode; }},
      {"exit", []() -> int { queue(), std::exit(kCode); }},
      {"_exit", []() -> int { queue(), _exit(kCode); }},
      {"quick_exit", []() -> int { queue(), std::quick_exit(kCode); }},
      {"unused", [] { return mg_op_get_num_ops() > 0 ? kCode : kWrong; }},
      {"exit_in_new_thread",
       []() -> int {
         queue();
         in_thread([] { std::exit(kCode); });
         for (;;) pause();
       }},
      // In the middle of the first calls, by a thread that has never used the library.
      {"exit_in_first_call",
       []() -> int {
         mg_array* a = filled({2000, 2000});
         in_thread([] {
           sleep_ms(some_ms(60));
           std::exit(kCode);
         });
         apply("dot", {a, a});
         for (;;) pause();
       }},
      {"exit_in_pushing_thread",
       []() -> int {
         in_thread([] { queue(), std::exit(kCode); });
         for (;;) pause();
       }},
      {"exit_while_waiting",
       []() -> int {
         mg_array* values = queue(200);
         in_thread([] {
           sleep_ms(some_ms(50));
           std::exit(kCode);
         });
         mg_array_wait_to_read(values);
         for (;;) pause();
       }},
      {"exit_in_callback", [] { return custom(&static_object); }},
      {"main_thread_ended",
       []() -> int {
         in_thread([] {
           sleep_ms(30);
           queue(), std::exit(kCode);
         });
         queue();
         pthread_exit(nullptr);
       }},
      {"exception",
       [] {
         try {
           queue();
           throw std::runtime_error("on the way");
         } catch (const std::exception&) {
           return kCode;
         }
       }},
      {"failed_task",
       [] {
         mg_array* x = queue(2);
         ok(mg_memory_fail_after(1));
         int32_t outputs = 1;
         mg_array* out = nullptr;
         const mg_op* op = nullptr;
         ok(mg_op_find("dot", &op));
         mg_array* inputs[2] = {x, x};
         mg_op_call(op, 2, inputs, 0, nullptr, nullptr, &outputs, &out);
         return kCode;
       }},
      {"fork_exit", [] { return queue(), child_code(std::exit) == 3 ? kCode : kWrong; }},
      {"fork__exit", [] { return queue(), child_code(_exit) == 3 ? kCode : kWrong; }},
      {"fork_before_use", [] { return child_code(std::exit) == 3 ? (queue(), kCode) : kWrong; }},
      {"fork_in_thread",
       [] {
         int code = 0;
         queue();
         std::thread([&] { code = child_code(std::exit); }).join();
         return code == 3 ? kCode : kWrong;
       }},
      {"sigterm",
       [] {
         std::signal(SIGTERM, [](int) { std::exit(kCode); });
         mg_array* values = queue(200);
         const pthread_t self = pthread_self();
         in_thread([self] {
           sleep_ms(20 + some_ms(30));
           pthread_kill(self, SIGTERM);
         });
         mg_array_wait_to_read(values);
         return kWrong;
       }},
      {"thread_waits",
       [] {
         mg_array* values = queue(100);
         in_thread([values] { ok(mg_array_wait_to_read(values)); });
         sleep_ms(some_ms(20));
         return kCode;
       }},
      {"thread_waits_for_all",
       [] {
         queue(100);
         in_thread([] { ok(mg_wait_all()); });
         sleep_ms(some_ms(20));
         return kCode;
       }},
      {"thread_pushes",
       [] {
         in_thread([] {
           mg_array* a = filled({kSide, kSide});
           const mg_op* op = nullptr;
           ok(mg_op_find("dot", &op));
           for (;;) {
             mg_array *inputs[2] = {a, a}, *out = nullptr;
             int32_t outputs = 1;
             ok(mg_op_call(op, 2, inputs, 0, nullptr, nullptr, &outputs, &out));
             mg_array_destroy(out);
           }
         });
         sleep_ms(5 + some_ms(40));
         return kCode;
       }},
      {"thread_works_itself",
       [] {
         in_thread([] {
           mg_array* a = filled({kSide, kSide});
           for (;;) {
             mg_array* out = apply("dot", {a, a});
             ok(mg_array_wait_to_read(out));
             mg_array_destroy(out);
           }
         });
         sleep_ms(20 + some_ms(40));
         return kCode;
       }},
      {"early_exit_handler",
       [] {
         std::atexit(push_and_read);
         queue();
         return kCode;
       }},
      {"late_exit_handler",
       [] {
         queue();
         std::atexit(push_and_read);
         return kCode;
       }},
      {"static_destructor", [] { return queue(), static_object.active = true, kCode; }},
      {"thread_destructor", [] { return thread_object.active = true, queue(), kCode; }},
      {"saving",
       [] {
         mg_array* values = queue(20);
         in_thread([values] { save(values); });
         sleep_ms(20);
         return kCode;
       }},
      {"profiler",
       [] {
         ok(mg_profiler_start());
         queue();
         return kCode;
       }},
      {"serial_engine",
       [] {
         ok(mg_engine_set_kind(MG_ENGINE_SERIAL));
         queue(4);
         return kCode;
       }},
      {"engine_switched",
       [] {
         queue(2);
         ok(mg_engine_set_kind(MG_ENGINE_SERIAL));
         queue(2);
         ok(mg_engine_set_kind(MG_ENGINE_THREADED));
         queue();
         return kCode;
       }},
      {"backward",
       [] {
         mg_array* y = recorded(filled({kSide, kSide}));
         ok(mg_autograd_backward(1, &y, nullptr, 0, 0));
         return kCode;
       }},
      {"recorded",
       [] {
         ok(mg_array_attach_grad(filled({2}), nullptr, MG_GRAD_REQ_WRITE));
         recorded(filled({kSide, kSide}));
         return kCode;
       }},
      {"custom_function", [] { return custom(nullptr); }},
      {"executor",
       [] {
         mg_executor* executor = bound();
         mg_array* head = filled({kSide, kSide});
         for (int i = 0; i < 5; ++i) {
           ok(mg_executor_forward(executor, 1));
           ok(mg_executor_backward(executor, 1, &head));
         }
         return kCode;
       }},
      {"executor_destroyed",
       [] {
         mg_executor* executor = bound();
         for (int i = 0; i < 5; ++i) ok(mg_executor_forward(executor, 0));
         mg_executor_destroy(executor);
         return kCode;
       }},
      {"kvstore",
       [] {
         mg_kvstore* store = nullptr;
         ok(mg_kvstore_create("local", &store));
         mg_value key = {};
         key.kind = MG_VALUE_INTEGER;
         mg_array* values = filled({kSide, kSide});
         ok(mg_kvstore_init(store, 1, &key, &values));
         const mg_kvstore_updater updater = {sizeof updater, nullptr, update, nullptr};
         ok(mg_kvstore_set_updater(store, &updater));
         for (int i = 0; i < 10; ++i) {
           mg_array* pushed = queue(1);
           ok(mg_kvstore_push(store, 1, &key, &pushed, 0));
           ok(mg_kvstore_pull(store, 1, &key, &values, 0));
         }
         return kCode;
       }},
      {"convolution",
       [] {
         mg_array* data = filled({8, 64, 28, 28});
         ok(mg_array_attach_grad(data, nullptr, MG_GRAD_REQ_WRITE));
         ok(mg_autograd_set_recording(1, nullptr));
         mg_array* y = apply("sum", {convolved(convolved(data))});
         ok(mg_autograd_set_recording(0, nullptr));
         ok(mg_autograd_backward(1, &y, nullptr, 0, 0));
         return kCode;
       }},
      {"deep_queue",
       [] {
         mg_array* b = queue(2);
         for (int i = 0; i < 3000; ++i) {
           mg_array* next = apply("relu", {b});
           mg_array_destroy(b);
           b = next;
         }
         return kCode;
       }},
      {"wrapped_memory",
       [] {
         static std::vector<float> memory(kSide * kSide, 1);
         const int64_t shape[2] = {kSide, kSide};
         mg_array* array = nullptr;
         ok(mg_array_wrap(
             memory.data(), shape, 2, MG_DTYPE_FLOAT32, {MG_DEVICE_CPU, 0}, [](void*) {}, nullptr, &array));
         for (int i = 0; i < 10; ++i) apply("dot", {array, array});
         mg_array_destroy(array);
         return kCode;
       }},
  };
}

}  // namespace

int main(int argc, char** argv) {
  const auto all = states();
  if (argc == 2 && std::strcmp(argv[1], "states") == 0) {
    for (const auto& state : all) std::puts(state.first.c_str());
    return 0;
  }
  if (const char* onednn = std::getenv("LEAVE_ONEDNN")) ok(mg_onednn_load(onednn));
  const auto found = argc == 2 ? all.find(argv[1]) : all.end();
  return found == all.end() ? kWrong : found->second();
}
