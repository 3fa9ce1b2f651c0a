// SPDX-License-Identifier: Apache-2.0
// pid...:module:function:inline: the calls of a function that the compiler has replaced by its code. One probe stands
// for all of them, with a site for each copy of the code.
//
// Where a copy begins: at the row that gcc writes into the line table for it; else where the debug information says
// (DW_AT_entry_pc); else where control comes to the call's code first. If a loop of the function begins there, which
// would come by again, the sites are the instructions that lead into the loop.
//
// gcc marks each copy, but its scheduler loses some of the marks. An expression then has more rows than there are
// marks.
//
// clang marks nothing. If the code of a call has no jumps, and each line and column has several rows with other code
// between them, the call has several copies: one for each row of the line and column with the fewest rows. With jumps,
// rows repeat inside one copy. The site is moved to the instruction at which the arguments can be read.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/printable.h"
#include "frontend/text/glob.h"
#include "runtime/debug_info/inlined_begin.h"
#include "runtime/probes/providers/function_probes.h"
#include "runtime/user/code_places.h"

namespace dtrace::runtime {
namespace {

using InlinedBegin = InlinedCalls::Begin;
using InlinedFunction = InlinedCalls::Function;

/// The calls of some functions of one file, and the sites of each.
class InlineSites {
 public:
  InlineSites(ObjectDebugInfo &info, const std::shared_ptr<UserObject> &object)
      : info_(info), calls_(info.inlined()), places_(object) {}

  struct Site {
    Result<PidPlace> place;
    uint32_t call = 0;
  };
  /// The sites of one function, whose marks are `begins`.
  std::vector<Site> of(const InlinedFunction &function, const std::vector<InlinedBegin> &begins) {
    std::set<uint32_t> marked;
    for (const InlinedBegin &begin : begins) marked.insert(begin.call);
    std::vector<InlinedBegin> all = begins;
    for (const uint32_t call : function.calls)
      if (!marked.contains(call)) add_unmarked(function, call, all);
    std::vector<Site> sites;
    std::map<std::pair<uint32_t, uint64_t>, uint32_t> copies;
    for (const InlinedBegin &begin : all) add_sites(begin, copies, sites);
    for (const uint32_t call : empty_) sites.push_back({Error("the compiler has left nothing of it"), call});
    for (const uint32_t call : merged_)
      sites.push_back({Error("the compiler has merged the code of several calls"), call});
    empty_.clear();
    merged_.clear();
    return sites;
  }
  /// Do these, all marks of a function's calls, leave out copies? gcc's scheduler loses some of a loop that it has
  /// unrolled. Each copy has each expression at least once.
  bool lack_copies(const std::vector<InlinedBegin> &begins) {
    std::map<uint32_t, size_t> marks;  // by call
    for (const InlinedBegin &begin : begins) ++marks[begin.call];
    return std::ranges::any_of(marks, [&](const auto &of) {
      if (of.second < 2) return false;
      const InlinedCalls::Call &call = calls_.call(of.first);
      const std::vector<InlinedCalls::Piece> pieces = calls_.pieces(call);
      const FunctionFlow *flow = pieces.empty() ? nullptr : places_.flow_at(pieces.front().first);
      // With jumps, rows repeat inside one copy.
      if (flow == nullptr || flow->has_jumps([&](uint64_t at) { return is_in(pieces, at); })) return false;
      return calls_.fewest_expression_rows(call) > of.second;
    });
  }
  /// May control reach a site of an earlier of() although no call begins?
  bool is_ambiguous() const { return is_ambiguous_; }

 private:
  static bool is_in(const std::vector<InlinedCalls::Piece> &pieces, uint64_t address) {
    const auto after = std::ranges::upper_bound(pieces, address, {}, &InlinedCalls::Piece::first);
    return after != pieces.begin() && address < std::prev(after)->second;
  }

  void add_unmarked(const InlinedFunction &function, uint32_t number, std::vector<InlinedBegin> &begins) {
    const InlinedCalls::Call &call = calls_.call(number);
    const std::vector<InlinedCalls::Piece> pieces = calls_.pieces(call);
    if (const std::optional<uint64_t> stated = InlinedCalls::stated_entry(call)) {
      begins.push_back({number, *stated});
      return;
    }
    if (pieces.empty()) {
      empty_.push_back(number);
      return;
    }
    // clang's common code of calls of one function belongs to a call without a line.
    if (InlinedCalls::line_of(call) == 0) {
      merged_.push_back(number);
      return;
    }
    const FunctionFlow *flow = places_.flow_at(pieces.front().first);
    if (flow == nullptr) {
      begins.push_back({number, pieces.front().first});
      return;
    }
    std::vector<uint64_t> found;
    const bool is_unmarked = calls_.marks_of_copies(call) == InlinedCalls::Marks::kNone;
    if (is_unmarked) {
      found = begins_by_rows(*flow, call, pieces);
    } else {
      const std::vector<uint64_t> statements = calls_.statements(function, call);
      found = flow->first_of([&](uint64_t at) {
        return statements.empty() ? is_in(pieces, at) : std::ranges::binary_search(statements, at);
      });
    }
    const auto is_inside = [&](uint64_t at) { return is_in(pieces, at); };
    // A table of cases may lead to any instruction of the call's.
    const bool may_move = is_unmarked && !flow->has_computed_jumps(is_inside);
    for (uint64_t address : found) {
      const Result<std::vector<uint64_t>> before = flow->before_loop(address, is_inside);
      if (may_move && before && *before == std::vector{address})
        address = begin_of_arguments(info_, number, flow->straight_from(address));
      begins.push_back({number, address});
    }
  }

  /// Where copies begin if the compiler marks none.
  std::vector<uint64_t> begins_by_rows(const FunctionFlow &flow, const InlinedCalls::Call &call,
                                       const std::vector<InlinedCalls::Piece> &pieces) {
    const auto is_inside = [&](uint64_t at) { return is_in(pieces, at) && !flow.is_padding(at); };
    std::vector<uint64_t> found = flow.first_of(is_inside);
    if (found.empty()) return flow.first_of([&](uint64_t at) { return is_in(pieces, at); });
    if (flow.has_jumps(is_inside)) return found;
    const std::vector<uint64_t> rows = calls_.repeated_rows(call, found.front(), is_inside);
    const std::vector<uint64_t> repeated = flow.apart(rows, is_inside);
    return repeated.size() > found.size() ? repeated : found;
  }

  void add_sites(const InlinedBegin &begin, std::map<std::pair<uint32_t, uint64_t>, uint32_t> &copies,
                 std::vector<Site> &sites) {
    Result<std::vector<uint64_t>> addresses = std::vector{begin.address};
    if (const FunctionFlow *flow = places_.flow_at(begin.address)) {
      const std::vector<InlinedCalls::Piece> pieces = calls_.pieces(calls_.call(begin.call));
      const auto is_inside = [&](uint64_t at) { return is_in(pieces, at); };
      addresses = flow->before_loop(begin.address, is_inside);
      const bool is_itself = addresses && *addresses == std::vector{begin.address};
      is_ambiguous_ |= is_itself && flow->is_jumped_to(begin.address, is_inside);
    }
    if (!addresses) {
      sites.push_back({std::move(addresses).error(), begin.call});
      return;
    }
    for (const uint64_t address : *addresses) {
      // No probe can be set at some kinds of padding before loops.
      std::vector<uint64_t> before;
      if (Result<PidPlace> place = places_.at(address); !place)
        if (const FunctionFlow *flow = places_.flow_at(begin.address)) before = flow->only_sources(address);
      if (before.empty()) before.push_back(address);
      for (const uint64_t at : before) {
        Site site{places_.at(at), begin.call};
        if (site.place) {
          site.place->inlined = begin.call + 1;
          site.place->copy = copies[{begin.call, at}]++;
          site.place->is_shared = begin.is_shared;
        }
        sites.push_back(std::move(site));
      }
    }
  }

  ObjectDebugInfo &info_;
  InlinedCalls &calls_;
  CodePlaces places_;
  std::vector<uint32_t> empty_, merged_;  // calls without sites
  bool is_ambiguous_ = false;
};

/// The line that has the call, for messages.
std::string line_of(const InlinedCalls::Call &call) {
  const std::optional<uint64_t> line = InlinedCalls::line_of(call);
  return line ? fmt::format("the call in line {}", *line) : std::string("a call");
}

std::string absent_function(UserObject &object, std::string_view function) {
  const bool is_there = std::ranges::any_of(object.functions(), [&](const UserFunction &one) {
    return std::ranges::any_of(one.names, [&](std::string_view name) { return function_matches(function, name); });
  });
  return fmt::format("no call of {} is inlined in {}{}", function, object.name(),
                     is_there ? "; calls that are not inlined are at probe entry" : "");
}

}  // namespace

Result<bool> FunctionProbes::list_inlined(const FunctionListing &listing, const std::shared_ptr<UserObject> &object) {
  const ProbeDesc &want = listing.want;
  const bool is_one = is_literal(want.function);
  const bool must_be = is_one && is_literal(want.module);
  Result<ObjectDebugInfo *> info = listing.debug_info(object);
  if (!info && must_be) return Error(info.error().text()).tagged("D_PROC_INLINE");
  if (!info) return false;
  InlinedCalls &calls = (*info)->inlined();
  std::vector<const InlinedFunction *> functions;
  for (const InlinedFunction &function : calls.functions())
    if (!function.name.empty() && function_matches(want.function, function.name)) functions.push_back(&function);
  std::map<uint32_t, std::vector<InlinedBegin>> begins;  // by call
  for (const InlinedBegin &begin : calls.marked_begins(functions)) begins[begin.call].push_back(begin);

  bool found = false, is_exact = true;
  std::string refusal;
  InlineSites sites(**info, object);
  for (const InlinedFunction *function : functions) {
    const std::string name = printable(function->name);
    is_exact &= std::ranges::all_of(function->calls, [&](uint32_t call) {
      return calls.marks_of_copies(calls.call(call)) == InlinedCalls::Marks::kAll;
    });
    std::vector<InlinedBegin> own;
    for (const uint32_t call : function->calls)
      if (const auto known = begins.find(call); known != begins.end())
        own.insert(own.end(), known->second.begin(), known->second.end());
    is_exact = is_exact && !(is_one && sites.lack_copies(own));
    for (const InlineSites::Site &site : sites.of(*function, own)) {
      if (site.place) {
        offer(listing, *site.place, name, PidProbe::Kind::kInline, kInlineName);
        found = true;
        continue;
      }
      refusal = fmt::format("{}: {}", line_of(calls.call(site.call)), site.place.error().text());
      if (!is_one) refuse(listing, {object, {}}, name, kInlineName, refusal);
    }
  }
  constexpr std::string_view kNotExact =
      "may fire more or less than once for a call: the compiler does not say where all copies of its code begin";
  constexpr std::string_view kNotWhole = "the file has more debug information than is read, or some cannot be read";
  is_exact &= !sites.is_ambiguous();
  if (found && is_one && !refusal.empty())
    fall_short(listing, *object, "not at all inlined calls: " + refusal);
  else if (found && is_one && !is_exact)
    fall_short(listing, *object, kNotExact);
  if ((found || !is_one) && !calls.is_whole()) refuse(listing, {object, {}}, want.function, kInlineName, kNotWhole);
  if (found || !must_be) return found;
  if (!refusal.empty())
    return Error(fmt::format("failed to create a probe at inlined calls of '{}': {}", want.function, refusal))
        .tagged("D_PROC_CREATEFAIL");
  if (!calls.is_whole())
    return Error(fmt::format("no inlined call of {} was found: {}", want.function, kNotWhole)).tagged("D_PROC_INLINE");
  return Error(absent_function(*object, want.function)).tagged("D_PROC_INLINE");
}

}  // namespace dtrace::runtime
