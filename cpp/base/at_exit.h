// Ends the engines' work before the process takes down what that work uses.
#pragma once

namespace mixgrad {

// Has `end_work` called at exit. It must not mind being called again, and begins new work no more.
void set_exit_work(void (*end_work)());

// Has it called before the static objects that exist by now are destroyed. To be called when a library that makes such objects
// as it first needs them has done so: objects are destroyed in the opposite order of their making. Does nothing before
// set_exit_work.
void end_work_before_statics();

}  // namespace mixgrad
