// SPDX-License-Identifier: Apache-2.0
// Probes that come into being while tracing runs: a library that a traced process loads, a program it turns into. The
// programs are in the kernel already, and a site's cookie says all they need, so new sites are only attached.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "codegen/plan.h"
#include "runtime/user/mapping_watch.h"

namespace dtrace {

class Catalog;
class Enabling;

class LateMatcher {
 public:
  LateMatcher(Catalog &catalog, Enabling &enabling);

  /// Tells the programs the names of the probes there are. Begins to watch if some description may match more probes
  /// later; before the targets are let go.
  Result<Unit> start(const std::vector<int> &cpus);
  /// Readable when update() has something to do; -1: never.
  int poll_fd() const { return watch_ ? watch_->poll_fd() : -1; }

  struct Outcome {
    size_t probes = 0;                  ///< attached now
    std::set<pid_t> pids;               ///< processes that mapped something
    std::vector<std::string> problems;  ///< what could not be, for the user
  };
  /// Matches again what may have grown, and attaches what is new.
  Outcome update();

 private:
  void tell_names(ProbeId id);
  void attach(ProbeId id, const std::vector<uint32_t> &clauses, std::map<uint32_t, std::vector<SitePlan>> &sites,
              Outcome &outcome);

  Catalog &catalog_;
  Enabling &enabling_;
  std::vector<uint32_t> growing_;  // clauses whose description may match more
  std::set<uint32_t> known_;       // probes that were matched
  std::optional<MappingWatch> watch_;
};

}  // namespace dtrace
