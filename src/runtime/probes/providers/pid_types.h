// SPDX-License-Identifier: Apache-2.0
// Types of the pid provider's probes: args[], locals, and the names of the program that clauses on them may use.
// Nothing is read before a clause asks.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/lang/probe.h"
#include "runtime/debug_info/object_debug_info.h"
#include "runtime/debug_info/program_scope.h"
#include "runtime/debug_info/typed_arguments.h"
#include "runtime/user/pid_probes.h"

namespace dtrace::runtime {

class PidTypes {
 public:
  /// `objects` outlives this.
  explicit PidTypes(UserObjects &objects) : objects_(objects) {}

  /// args[] of a probe called `name`.
  /// Errors: an instruction inside a function; no debug information describes the function; functions of the name
  /// differ.
  Result<std::vector<ProbeArg>> args(const std::string &name, const PidProbe &probe, TypeTable &types);
  /// Why arg`n` of an inlined call cannot be had; empty: it can, or the probe is of another kind.
  std::string missing_argument(const std::string &name, const PidProbe &probe, unsigned n, TypeTable &types);
  /// A variable of the functions that an instruction, a line or an inlined call is in.
  /// Errors: D_LOCALS_NONE, D_LOCALS_NAME; D_LOCALS_MULTI: its types differ where the probe fires.
  Result<ProbeArg> local(const PidProbe &probe, std::string_view name, TypeTable &types);
  /// All variables, for a listing. If several sites have one of the same name, the first site's is taken.
  std::vector<ProbeArg> locals(const PidProbe &probe, TypeTable &types);
  /// What names mean at the probe.
  UserScope *scope(const PidProbe &probe);
  /// Gives the sites of an entry whose args() were asked for the locations of the arguments, and those of instructions
  /// and lines the locations of what local() was asked for.
  void add_operands(const std::string &name, const PidProbe &probe, ProbeHook &hook);
  DebugInfoCache &debug_info() { return cache_; }
  /// Sites of these probes, in these files, are gone.
  void forget(const std::vector<std::string> &probes, const std::set<const UserFile *> &files);
  /// From now on probes are asked for that come to be while tracing runs: nobody asks for their args().
  void begin_late() {
    is_late_ = true;
    cache_.stop_fetching();  // it may take minutes
  }

 private:
  struct Entry {
    std::vector<ProbeArg> args;
    std::vector<std::vector<UserOperand>> operands;  // by site, unless sites are gone
    bool has_lost_sites = false;
  };
  Result<Entry> entry(const PidProbe &probe, TypeTable &types);
  Result<std::vector<ProbeArg>> inlined_args(const std::string &name, const PidProbe &probe, TypeTable &types);
  Result<TypedArguments> inlined_at(const PidProbe &probe, const PidPlace &place);
  void add_inlined_operands(const std::string &name, const PidProbe &probe,
                            std::vector<std::vector<UserOperand>> &operands);
  std::vector<std::vector<UserOperand>> entry_operands(const std::string &name, const PidProbe &probe);
  std::vector<std::vector<UserOperand>> late_operands(const PidProbe &probe);
  /// A variable that was asked for. Its slots among the operands are its own at all probes, so that clauses may ask for
  /// variables in any order.
  struct Local {
    std::string name;
    ProbeArg arg;
    size_t nr_operands = 0;
  };
  bool take_slots(std::string_view name, ProbeArg &arg, size_t nr_operands);
  Result<TypedArguments> local_at(const PidProbe &probe, const PidPlace &place, std::string_view name);
  std::vector<std::vector<UserOperand>> local_operands(const PidProbe &probe);

  UserObjects &objects_;
  DebugInfoCache cache_;
  std::map<std::pair<pid_t, const UserObject *>, std::unique_ptr<ProgramScope>> scopes_;
  std::unordered_map<std::string, Entry> entries_;                  // that were asked for
  std::unordered_map<std::string, std::vector<ProbeArg>> inlined_;  // of inlined calls that were asked for
  std::vector<Local> locals_;
  unsigned nr_operands_ = kRawArguments;  // of instructions, lines and inlined calls
  TypeTable *types_ = nullptr;            // of the last that was
  bool is_late_ = false;
};

}  // namespace dtrace::runtime
