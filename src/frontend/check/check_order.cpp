// SPDX-License-Identifier: Apache-2.0
// Order rules. The state lives in ClauseState and only grows; the branches of an if see what came before them, and what
// follows the if sees both (check_clause.cpp merges).
#include "frontend/check/check_order.h"

namespace dtrace::check {
namespace {

void note_speculate(Context &cx, ClauseState &state, Span span) {
  if (state.speculates) {
    cx.diags.report(Tag::D_SPEC_SPEC, span, "speculate( ) may not follow speculate( )");
  } else if (state.commits) {
    cx.diags.report(Tag::D_SPEC_COMM, span, "speculate( ) may not follow commit( )");
  } else if (state.records || state.aggregates) {
    cx.diags.report(Tag::D_SPEC_DREC, span, "speculate( ) may not follow data-recording action(s)");
  }
  state.speculates = true;
}

void note_commit(Context &cx, ClauseState &state, Span span) {
  if (state.commits && cx.options.flag(Opt::strict)) {
    cx.diags.report(Tag::D_COMM_COMM, span, "commit( ) may not follow commit( )");
    cx.diags.advise("option strict is set: only some DTraces commit several speculations in one clause");
  } else if (state.records || state.aggregates) {
    cx.diags.report(Tag::D_COMM_DREC, span, "commit( ) may not follow data-recording action(s)");
  }
  state.commits = true;
}

void note_record(Context &cx, ClauseState &state, Span span) {
  if (state.commits) {
    cx.diags.report(Tag::D_DREC_COMM, span, "data-recording actions may not follow commit( )");
  }
  state.records = true;
}

bool makes_record(BuiltinEffect effect) {
  return effect == BuiltinEffect::kRecords || effect == BuiltinEffect::kDestructiveRecords ||
         effect == BuiltinEffect::kSpecial;
}

}  // namespace

bool may_destroy(Context &cx, Builtin builtin, Span span) {
  if (cx.clause == nullptr || !cx.clause->speculates) return true;
  cx.diags.report(Tag::D_ACT_SPEC, span, "destructive actions may not follow speculate( ): {}( )", row(builtin).name);
  return false;
}

void note_effect(Context &cx, Builtin builtin, Span span) {
  const BuiltinEffect effect = row(builtin).effect;
  const bool destroys = effect == BuiltinEffect::kDestructive || effect == BuiltinEffect::kDestructiveRecords;
  if (destroys) cx.destructive = true;
  if (cx.clause == nullptr) return;
  ClauseState &state = *cx.clause;
  if (state.loops != 0 && makes_record(effect)) {
    cx.diags.report(Tag::D_SYNTAX, span,
                    "{}( ) may not be used in a loop: how much a clause records is known before it runs",
                    row(builtin).name);
    cx.diags.advise("an aggregation or a variable can hold what a loop finds");
    return;
  }
  if (builtin == Builtin::k_speculate) return note_speculate(cx, state, span);
  if (builtin == Builtin::k_commit) return note_commit(cx, state, span);
  if (destroys) {
    (void)may_destroy(cx, builtin, span);
    return;
  }
  if (builtin == Builtin::k_exit && state.speculates) {
    cx.diags.report(Tag::D_EXIT_SPEC, span, "exit( ) may not follow speculate( )");
    return;
  }
  if (effect == BuiltinEffect::kRecords) note_record(cx, state, span);
}

void note_aggregation(Context &cx, Span span) {
  if (cx.clause == nullptr) return;
  ClauseState &state = *cx.clause;
  if (state.commits) {
    cx.diags.report(Tag::D_AGG_COMM, span, "aggregating actions may not follow commit( )");
  } else if (state.speculates) {
    cx.diags.report(Tag::D_AGG_SPEC, span, "aggregating actions may not follow speculate( )");
  }
  state.aggregates = true;
}

}  // namespace dtrace::check
