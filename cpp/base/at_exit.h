// What the end of the process waits for.
#pragma once

namespace mixgrad {

// Has `end_work` called at exit. It must not mind being called again, and begins new work no more.
void set_exit_work(void (*end_work)());

// Has it called before the static objects that exist by now are destroyed: objects are destroyed in the opposite order of
// their making. To be called when a library that makes such objects has been loaded. Does nothing before set_exit_work.
void end_work_before_statics();

// Work with effects outside of the process, such as a file that is being written, while this object lives. A thread that ends
// the process waits for that of the others.
class OutsideWork {
 public:
  OutsideWork();
  ~OutsideWork();
  OutsideWork(const OutsideWork&) = delete;
  OutsideWork& operator=(const OutsideWork&) = delete;
};
void wait_for_outside_work(double limit_seconds);

}  // namespace mixgrad
