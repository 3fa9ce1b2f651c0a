// SPDX-License-Identifier: Apache-2.0
// Does the recording have what a program reads? A leaf that it does not have is an error of the program.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/text/diag.h"
#include "frontend/text/source.h"
#include "frontend/tree/leaves.h"
#include "frontend/tree/tree.h"
#include "recording/reader.h"
#include "replay/file_catalog.h"

namespace dtrace::replay {

class LeafCheck {
 public:
  /// All of it outlives the check.
  LeafCheck(const recording::Reader &recording, FileCatalog &catalog, const TypeTable &types, const Sources &sources);

  /// Errors: D_NOT_RECORDED. The leaves of ERROR's clauses are asked of all probes of `unit` and `program`.
  void check(const tree::Unit &unit, const tree::Program &program, Diagnostics &diags);

 private:
  std::vector<tree::LeafUse> uses_of(const tree::Unit &unit, const tree::Clause &clause) const;
  /// Without what every row tells.
  bool is_told(const tree::LeafUse &use) const;
  uint32_t set_of(ProbeId probe) const;  ///< LeafSet; 0: none
  bool has(uint32_t set, const std::string &identity) const;
  void check_uses(const std::vector<tree::LeafUse> &uses, const std::set<ProbeId> &probes, Diagnostics &diags);
  void report(const tree::LeafUse &use, const std::vector<ProbeId> &probes, Diagnostics &diags);
  bool is_of_error(const tree::Clause &clause) const;

  const recording::Reader &recording_;
  FileCatalog &catalog_;
  const TypeTable &types_;
  const Sources &sources_;
  std::vector<std::set<std::string_view>> sets_;  // identities by LeafSet
};

}  // namespace dtrace::replay
