// SPDX-License-Identifier: Apache-2.0
// Option argerrors=skip: a clause is left out for the probes that lack an argument it uses, and kept for the others. An
// error of another kind refuses the program as ever. A clause that uses what only such a clause assigns is left out,
// too.
#pragma once

#include <functional>
#include <vector>

#include "frontend/check/check_context.h"

namespace dtrace::check {

bool skips_argument_errors(const Context &cx);

/// What one check of a clause's contents, for one set of probes, has changed outside of the clause.
class Attempt {
 public:
  explicit Attempt(Context &cx)
      : cx_(cx), nr_errors_(cx.diags.list().size()), failed_names_(cx.failed_names), attributes_(cx.attributes) {
    cx.used_left_out.clear();
  }
  bool has_failed() const { return cx_.diags.list().size() > nr_errors_ || !cx_.used_left_out.empty(); }
  /// Is every error one of arguments, or a name of a clause that is left out?
  bool may_be_left_out() const;
  /// Why it failed. Its error has no message if it uses a name of a clause that is left out.
  LeftOut reason() const;
  /// Forgets the errors. Names that would have been made count as those of a clause that is left out.
  void undo();

 private:
  Context &cx_;
  size_t nr_errors_;
  std::set<std::string, std::less<>> failed_names_;
  Attributes attributes_;
};

/// Checks the contents of a clause for each of its probes, and appends to `out` a clause for each list of arguments
/// that probes without errors have. `check` checks the contents for the probes that the clause has then, and returns
/// the arguments that it asked for. Errors: those of the contents, if no probe is without errors and one of them is not
/// about arguments.
void check_each_probe(Context &cx, const tree::Clause &clause,
                      const std::function<std::vector<ProbeArg>(tree::Clause &)> &check,
                      std::vector<tree::Clause> &out);

/// Warns of what was left out in the last pass. Errors: the first reason, if nothing is left of the program.
void report_left_out(Context &cx, const tree::Program &program);

}  // namespace dtrace::check
