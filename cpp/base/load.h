// The time in which the library is loaded: static objects are made then, and nobody catches what they throw.
#pragma once

namespace mixgrad {

// Until the first look for an operator.
bool load_going();
// Want of memory is noted while the load goes on. What was to be made is not all there then, and is of no use.
void note_failed_load();
bool load_failed();
void end_load();

}  // namespace mixgrad
