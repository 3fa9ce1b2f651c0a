// SPDX-License-Identifier: Apache-2.0
// The plan: every layout of one compilation, made once and read by both the code generator, which writes records, keys
// and values, and the consumer, which reads them. Offsets are bytes; multi-byte fields are in host order; everything
// has a fixed size. Includes neither LLVM nor libbpf.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bpf/dt_unwind.h"
#include "frontend/lang/aggregating.h"
#include "frontend/lang/builtins.h"
#include "frontend/lang/print_order.h"
#include "frontend/lang/probe.h"
#include "frontend/lang/quantity.h"
#include "frontend/lang/scope.h"
#include "frontend/text/format_string.h"
#include "frontend/types/types.h"
#include "plan/hook.h"

namespace dtrace {

/// One value in a record or in an aggregation key.
struct ValuePlan {
  enum class Kind : uint8_t {
    kInteger,       ///< size_bytes 1, 2, 4 or 8
    kFloat,         ///< 4, 8 or 16 bytes
    kString,        ///< NUL-terminated within size_bytes
    kBytes,         ///< struct, array, tracemem
    kConstString,   ///< `text`; occupies nothing
    kProbePart,     ///< u32 probe id at offset; `part` says which field of its description is the text. probeprov has
                    ///< a u32 behind it: the process, if the provider's name leaves that open
    kKernelStack,   ///< u64 pcs[size_bytes / 8], zero-terminated if shorter
    kUserStack,     ///< u64 tgid, end and image (dt_unwind.h), then u64 pcs[], zero-terminated if shorter
    kStack,         ///< of a variable, or of either: as these, or 0 for a kernel stack and then u64 pcs[]
    kKernelSymbol,  ///< u64 address; `builtin` says sym, func or mod
    kUserSymbol,    ///< u64 tgid and image (dt_unwind.h), u64 address; `builtin` says usym, ufunc, umod or uaddr
    kCgroupName,    ///< u64 cgroup id; `part` says which of its names is the text
  };
  Kind kind = Kind::kInteger;
  uint32_t offset = 0;
  uint32_t size_bytes = 0;
  bool is_signed = false;
  /// kInteger: shown as a number of so many bytes if it fits there (TypeTable::held()); 0: as what it is.
  uint32_t first_bytes = 0;
  bool first_is_signed = false;
  bool is_enum = false;  ///< kInteger: values may have names, which are shown
  TypeId type;           ///< D type of the expression
  Builtin builtin = Builtin::k_trace;
  Variable part = Variable::k_probefunc;  ///< probeprov, probemod, probefunc, probename; kCgroupName: cgroup_name.h
  std::string text;
  /// A part of the probe's description that needs no space in a record of its own.
  bool in_record_head() const { return kind == Kind::kProbePart && size_bytes == 4; }
  bool nullable = false;  ///< kString: a NULL string is recorded as size_bytes zero bytes (never happens for literals)
};

/// One action as the consumer sees it, in the clause's order.
struct ActionPlan {
  Builtin kind = Builtin::k_trace;
  int guard = -1;  ///< which of the record's guards says that the branch was taken; -1: always
  std::vector<ValuePlan> values;
  std::vector<std::string> value_texts;  ///< D text of each argument that gives a value
  std::vector<uint32_t> aggregations;    ///< indexes into Plan::aggregations
  std::optional<FormatString> format;
  TypeId object_type;               ///< print
  bool by_address = false;          ///< print(pointer): values[0] the address, values[1] the bytes of the object
  std::optional<PrintOrder> order;  ///< printa; values[0], if there is one, says how many entries are printed
  uint32_t dynamic_size_value = UINT32_MAX;  ///< tracemem: index of the value that holds the run-time size
};

/// The record of one clause: dt_record header, then guards (if any), then values. size_bytes 0: the clause makes no
/// row.
struct ClausePlan {
  uint32_t index = 0;  ///< the record header's `clause`; also names it: "dt_clause_<index>"
  std::string name;
  uint32_t size_bytes = 0;
  uint32_t guard_offset = 0;        ///< u8 per branch that records: 1 if it was taken; 0: no guards
  uint32_t guard_bytes = 0;         ///< with what fills it to 8
  uint32_t speculation_offset = 0;  ///< u32 speculation id of the record, 0: clause never speculates
  uint32_t thread_offset = 0;       ///< u64: process and thread, as bpf_get_current_pid_tgid(); 0: not recorded
  uint32_t cpu_offset = 0;          ///< u64: the CPU, under Plan::one_ring; 0: not recorded
  bool in_log = false;              ///< the record goes to the CPU's log, not to its ring
  bool makes_row = false;           ///< prints a prefix and newline when not quiet
  bool is_default_action = false;
  std::vector<ActionPlan> actions;
  bool records_firing = false;  ///< its rows are a recording's, and no output
  /// The leaves of such a clause. A value has at least 8 bytes; after a fault they hold the fault's address instead.
  std::vector<ValuePlan> leaves;
  uint32_t leaf_outcome_offset = 0;  ///< u8 per leaf: 0: its value is there; kLeafIsNull; else its fault
  static constexpr uint8_t kLeafIsNull = 0xff;
  std::string source_name;  ///< program text it came from, for messages
  ProbeDesc desc;
  bool may_grow = false;  ///< `desc` may match more probes while tracing runs
  /// Has an exit().
  bool exits() const {
    return std::any_of(actions.begin(), actions.end(),
                       [](const ActionPlan &action) { return action.kind == Builtin::k_exit; });
  }
};

struct AggregationPlan {
  std::string name;
  Builtin function = Builtin::k_count;
  AggregatingParams params;
  std::vector<ValuePlan> keys;
  std::vector<std::string> key_texts;  ///< D text of each key where the aggregation is first used
  Quantity quantity;                   ///< what its values measure; of count(), what is counted
  bool is_never_negative = true;       ///< the type of every aggregated value is unsigned, or it is a constant
  uint32_t key_bytes = 0;              ///< 0: a single value, in the section of totals
  uint32_t value_words = 0;            ///< u64 words of the value: dt_abi.h says which
  /// The key is long: tables are keyed by a hash of it, or by what it has if that is short, and it lies itself behind
  /// the words of the value. Its last field in memory, keys[open_key], has an end of its own, and is hashed and
  /// compared up to there.
  bool by_hash = false;
  uint32_t open_key = 0;
  bool has_lone_writer = false;  ///< updates need not be atomic: no two can meet on a CPU
  uint32_t table_key_bytes() const { return by_hash ? 16 : key_bytes; }
  uint32_t table_value_bytes() const { return value_words * 8 + (by_hash ? key_bytes : 0); }
  /// Keyed: ARRAY_OF_MAPS, slot = set * nr_cpus + cpu; shared by aggregations whose keys and values have the same size.
  std::string map;
  uint32_t place = 0;  ///< among those that share the map
  uint32_t set(uint32_t bank) const { return place * 2 + bank; }
  uint32_t index = 0;  ///< its counters in the control block are those of index % DT_MAX_AGGREGATIONS

  // Single: values of total_bytes bytes from total_offset on in the totals, in the order of those slots.
  uint64_t total_offset = 0;
  uint32_t total_bytes = 0;
  uint32_t touched_word = 0;  ///< the word of a value that is other than 0 once it was updated

  /// Without keys, unless its value is so wide that it lies in a table, under the one key 0.
  bool is_single() const { return key_bytes == 0; }
};

/// A site and the cookie that its link carries.
struct SitePlan {
  UserSite site;
  uint64_t cookie = 0;  ///< SiteCookie
};

/// A system call's function and the cookie that its link carries.
struct CallSite {
  CallFunction function;
  uint64_t cookie = 0;
};

/// A BPF program of the object and the probes it serves.
struct ProgramPlan {
  std::string function;  ///< libbpf program name
  Hook hook;
  bool as_btf_tracepoint = false;  ///< load as BPF_TRACE_RAW_TP with RawTracepointHook::btf_id
  bool multi = false;              ///< attached through links of many sites
  bool sleepable = false;          ///< may wait for a page of user memory
  std::string trampoline;          ///< called by kernel functions themselves: the first of them; empty: not so
  /// Map of one program: the same with managed frames on its user stacks. This one calls it as soon as it is there.
  /// Empty: it shows them itself, or has no user stacks.
  std::string managed_map;
  /// Which of a CPU's slots of scratch is its own; none: it claims one of them. All programs have one or none has.
  std::optional<uint32_t> own_slot;
  std::vector<ProbeId> probes;
  std::vector<CallSite> call_sites;  ///< Selector::kPlace: of each probe
  std::vector<std::string> copies;   ///< Selector::kCopy: the raw tracepoint of each probe

  // Selector::kSite
  std::vector<SitePlan> sites;
  std::vector<std::vector<uint32_t>> rows;         ///< sets of clauses, ascending: SiteCookie::row is an index here
  std::vector<std::vector<UserOperand>> variants;  ///< distinct operand lists: SiteCookie::variant, if there are any

  /// The context begins with a pointer to the registers of the code that made a system call, which can be read
  /// directly.
  bool points_to_call_registers() const {
    return as_btf_tracepoint || (hook.is_of_call_functions() && !trampoline.empty());
  }
};

struct VariablePlan {
  std::string name;
  Scope scope = Scope::kGlobal;
  std::string map;          ///< associative arrays: their hash map; else empty
  bool shares_map = false;  ///< with others of the same size: the key says first which array it is
  uint32_t key_bytes = 0;
  uint32_t offset = 0;  ///< scalars: within the globals or the task storage
  uint32_t size_bytes = 0;
};

/// Causes of loss; the index into the per-clause drop counters. Rows: causes.def.
enum class Cause : uint8_t {
#define CAUSE(name, tag, text) k##name,
#include "plan/causes.def"
  kCount,
};

/// A comparison of one of a cgroup's names with a literal. Its answer is a bit of the cgroup's entry in the kernel
/// (dt_cgroup.h), which the consumer keeps.
struct CgroupTest {
  Variable name = Variable::k_container;
  std::string text;
  friend bool operator==(const CgroupTest &, const CgroupTest &) = default;
};

struct Plan {
  std::vector<ClausePlan> clauses;
  std::vector<AggregationPlan> aggregations;
  std::vector<ProgramPlan> programs;
  std::vector<VariablePlan> variables;
  bool timestamps = false;      ///< record headers carry the time
  bool by_time = false;         ///< records of all CPUs are merged by it
  uint32_t log_slot_bytes = 0;  ///< bufpolicy=ring: a slot of the logs, with its head; 0: there are none
  bool fills_once = false;      ///< bufpolicy=fill: a full ring ends tracing, and nothing is taken out before
  uint64_t totals_bytes = 0;    ///< the values of all aggregations without keys, in section ".bss.dt_totals"
  uint64_t longest_record = 0;  ///< bytes, of those that go to rings
  uint64_t begin_bytes = 0, end_bytes = 0;  ///< records of all clauses of BEGIN, of END
  /// What dt_unwind() must know, if programs call it: user stacks are walked by rules.
  std::optional<dt_unwind_layout> unwind;
  bool shows_managed = false;            ///< some program without a managed_map has managed frames on user stacks
  std::vector<CgroupTest> cgroup_tests;  ///< test i is bit DT_CGROUP_TESTS + i
  bool names_cgroups = false;            ///< something needs the names of cgroups: the consumer keeps them
  bool uses_speculation = false;
  bool uses_scratch = false;
  bool records_often = false;  ///< some clause outside BEGIN, END, ERROR and tick makes records: wants full-size rings
  /// Records of all CPUs come through one ring, in order. It is there at once: a ring for each CPU is in an array of
  /// maps, and to put it there takes an RCU grace period, for which the end of the process would have to wait.
  bool one_ring = false;
  bool has_exit = false;
  uint32_t nr_speculations = 0;
};

}  // namespace dtrace
