// SPDX-License-Identifier: Apache-2.0
#include "frontend/check/check_arg_errors.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "frontend/check/check_args.h"

namespace dtrace::check {
namespace {

/// Does the error mean that a probe lacks an argument, or has it with another type?
bool is_about_arguments(const Diagnostic &error) {
  constexpr Tag kTags[] = {Tag::D_ARGS_MULTI,   Tag::D_ARGS_XLATOR,  Tag::D_ARGS_NONE,   Tag::D_ARGS_TYPE,
                           Tag::D_ARGS_IDX,     Tag::D_ARGS_PLACE,   Tag::D_LOCALS_NONE, Tag::D_LOCALS_NAME,
                           Tag::D_LOCALS_PLACE, Tag::D_LOCALS_MULTI, Tag::D_ARGS_NAME};
  return std::ranges::find(kTags, error.tag) != std::end(kTags);
}

/// Probes whose arguments D sees alike.
struct Group {
  std::vector<ProbeArg> args;
  std::vector<ProbeId> probes;
};

bool same_names(const std::vector<ProbeArg> &a, const std::vector<ProbeArg> &b) {
  return std::ranges::equal(a, b, {}, &ProbeArg::name, &ProbeArg::name);
}

class EachProbe {
 public:
  EachProbe(Context &cx, const tree::Clause &clause, const std::function<std::vector<ProbeArg>(tree::Clause &)> &check)
      : cx_(cx), clause_(clause), check_(check) {}

  void divide() {
    if (clause_.probes.empty()) check_for({});  // option zdefs
    for (const ProbeId id : clause_.probes) check_for({id});
  }
  /// One clause for each group.
  void make(std::vector<tree::Clause> &out) {
    for (Group &group : groups_) {
      tree::Clause made = part(std::move(group.probes));
      const size_t nr_probes = made.probes.size();
      Attempt attempt(cx_);
      check_(made);
      if (attempt.has_failed())  // by what an earlier group has defined: a key of another type
        leave_out(attempt, nr_probes);
      else
        out.push_back(std::move(made));
    }
    if (!left_out_) return;
    left_out_->nr_matched = clause_.probes.size();
    cx_.left_out.push_back(std::move(*left_out_));
  }
  bool is_left_out() const { return groups_.empty() && may_be_left_out_; }
  bool has_groups() const { return !groups_.empty(); }
  /// The clause for some of its probes, unchecked.
  tree::Clause part(std::vector<ProbeId> probes) const {
    tree::Clause made;
    made.span = clause_.span;
    made.desc = clause_.desc;
    made.desc_span = clause_.desc_span;
    made.desc_attributes = clause_.desc_attributes;
    made.probes = std::move(probes);
    return made;
  }

 private:
  void check_for(std::vector<ProbeId> probes) {
    tree::Clause made = part(std::move(probes));
    Attempt attempt(cx_);
    std::vector<ProbeArg> args = check_(made);
    if (attempt.has_failed()) {
      may_be_left_out_ &= attempt.may_be_left_out();
      return leave_out(attempt, made.probes.size());
    }
    const auto same = std::ranges::find_if(groups_, [&](const Group &group) {
      return same_arguments(cx_.types, group.args, args) && same_names(group.args, args);
    });
    if (same != groups_.end())
      same->probes.insert(same->probes.end(), made.probes.begin(), made.probes.end());
    else
      groups_.push_back({std::move(args), std::move(made.probes)});
  }
  void leave_out(Attempt &attempt, size_t nr_probes) {
    if (!left_out_) {
      left_out_ = attempt.reason();
      left_out_->span = clause_.desc_span;
      left_out_->desc = clause_.desc.text();
    }
    left_out_->nr_probes += nr_probes;
    attempt.undo();
  }

  Context &cx_;
  const tree::Clause &clause_;
  const std::function<std::vector<ProbeArg>(tree::Clause &)> &check_;
  std::vector<Group> groups_;
  std::optional<LeftOut> left_out_;
  bool may_be_left_out_ = true;
};

}  // namespace

bool skips_argument_errors(const Context &cx) { return cx.options.string(Opt::argerrors) == "skip"; }

bool Attempt::may_be_left_out() const {
  const auto &errors = cx_.diags.list();
  return std::all_of(errors.begin() + static_cast<ptrdiff_t>(nr_errors_), errors.end(), is_about_arguments);
}

LeftOut Attempt::reason() const {
  LeftOut result{};
  const auto &errors = cx_.diags.list();
  if (errors.size() > nr_errors_) {
    result.first_error = errors[nr_errors_];
    result.reason = result.first_error.message;
  } else {
    result.first_error.tag = Tag::D_VAR_UNDEF;
    result.reason = fmt::format("only clauses that are left out assign {}", cx_.used_left_out);
  }
  return result;
}

void Attempt::undo() {
  cx_.diags.truncate(nr_errors_);
  cx_.attributes = attributes_;
  cx_.used_left_out.clear();
  for (const std::string &name : cx_.failed_names)
    if (!failed_names_.contains(name)) cx_.left_out_names.insert(name);
}

void check_each_probe(Context &cx, const tree::Clause &clause,
                      const std::function<std::vector<ProbeArg>(tree::Clause &)> &check,
                      std::vector<tree::Clause> &out) {
  EachProbe each(cx, clause, check);
  each.divide();
  if (each.has_groups() || each.is_left_out()) return each.make(out);
  tree::Clause refused = each.part(clause.probes);
  check(refused);
}

void report_left_out(Context &cx, const tree::Program &program) {
  for (const LeftOut &one : cx.left_out) {
    const std::string range =
        one.nr_probes == one.nr_matched ? "" : fmt::format(" for {} of {} probes", one.nr_probes, one.nr_matched);
    cx.diags.warn(one.first_error.tag, one.span, "the clause of {} is left out{}: {}", one.desc, range, one.reason);
  }
  const bool is_empty = program.clauses.empty() && !cx.left_out.empty() && cx.diags.ok();
  if (!is_empty) return;
  cx.diags.add(cx.left_out.front().first_error).notes = {};
  cx.diags.advise("all clauses would be left out");
}

}  // namespace dtrace::check
