// The containers of the single file, in place of the standard library's.
//
// It alone has this header, above all files that use containers: from here on `std` in namespace mixgrad is the namespace
// below. What is named here is the project's own, all the rest the standard library's. Functions of the C header, which lie
// outside of namespace mixgrad, name containers by mixgrad::c_api.
#pragma once

#include "containers/algorithm.h"
#include "containers/hash.h"
#include "containers/shared.h"
#include "containers/string.h"
#include "containers/vector.h"

namespace mixgrad::std {

using namespace ::std;

using containers::any_of;
using containers::clamp;
using containers::fill;
using containers::fill_n;
using containers::find;
using containers::find_if;
using containers::max;
using containers::min;
using containers::none_of;

using containers::enable_shared_from_this;
using containers::make_shared;
using containers::shared_ptr;
using containers::string;
using containers::unordered_map;
using containers::unordered_set;
using containers::vector;

}  // namespace mixgrad::std
