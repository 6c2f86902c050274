// States of optimisers as the body of a command, for the pieces of one slot.
#pragma once

#include <string>
#include <vector>

#include "kvstore/protocol/value.h"

namespace mixgrad::kvstore {

struct RuleState {
  protocol::PieceId piece = 0;
  std::string data;  // Rule::state(), or what makes a rule without any
  template <class F>
  void fields(F& f) {
    f(piece, data);
  }
};

struct RuleStates {
  std::vector<RuleState> list;
  template <class F>
  void fields(F& f) {
    f(list);
  }
};

}  // namespace mixgrad::kvstore
