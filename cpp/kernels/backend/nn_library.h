// Loading the library behind nn_backend.h while the program runs.
#pragma once

#include "kernels/backend/nn_backend.h"

namespace mixgrad::nn_backend {

// Loads oneDNN and switches it on, for the calls that start later. `path` names its file; empty: the system looks for it.
// Throws when there is none, or none that fits. Any thread; what is loaded stays until the process ends.
void load_onednn(const char* path);

// For onednn/: how to load, registered before main, and what was loaded.
using Loader = void (*)(const char* path);
bool register_loader(Loader loader);
void set_backend(const Backend* backend);

}  // namespace mixgrad::nn_backend
