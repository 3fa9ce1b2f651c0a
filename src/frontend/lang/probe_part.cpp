// SPDX-License-Identifier: Apache-2.0
#include "frontend/lang/probe_part.h"

#include <cassert>

namespace dtrace {

namespace {

const std::string Probe::*member_of(Variable variable) {
  switch (variable) {
    case Variable::k_probeprov:
      return &Probe::provider;
    case Variable::k_probemod:
      return &Probe::module;
    case Variable::k_probefunc:
      return &Probe::function;
    case Variable::k_probename:
      return &Probe::name;
    default:
      return nullptr;
  }
}

}  // namespace

bool is_probe_part(Variable variable) { return member_of(variable) != nullptr; }

const std::string &probe_part(const Probe &probe, Variable part) {
  assert(is_probe_part(part));
  return probe.*member_of(part);
}

}  // namespace dtrace
