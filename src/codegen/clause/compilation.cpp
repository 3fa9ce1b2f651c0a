// SPDX-License-Identifier: Apache-2.0
#include "codegen/clause/compilation.h"

#include "bpf/dt_abi.h"
#include "bpf/dt_cgroup.h"

#include <algorithm>
#include <array>

#include "frontend/tree/walk.h"

namespace dtrace::codegen {
namespace {

// The kernel's ABI (enum bpf_map_type).
constexpr uint32_t kHash = 1;
constexpr uint32_t kArray = 2;
constexpr uint32_t kPerCpuArray = 6;
constexpr uint32_t kArrayOfMaps = 12;
constexpr uint32_t kTaskStorage = 29;
constexpr uint32_t kNoPrealloc = 1;
constexpr uint32_t kMmapable = 1U << 10;
constexpr uint32_t kInnerMap = 1U << 12;  // sizes may differ from slot to slot

constexpr uint32_t kMaxPerCpuBytes = 32768;  // of a value, in maps that have one per CPU
constexpr uint32_t kElementOverheadBytes = 48;
constexpr size_t kMaxCopiedUpdates = 100;       // of aggregations; 2000 took half a minute to load
constexpr size_t kMaxCopiedLongKeys = 4;        // 30 took 0.4 s more
constexpr uint32_t kMaxLateOperands = 1 << 20;  // they take room when they come to be known

}  // namespace

std::optional<uint32_t> KernelLayout::offset(const std::string &structure, const std::string &member) const {
  auto known = known_.find({structure, member});
  if (known != known_.end()) return known->second;
  asked_.insert({Question::Kind::kMember, 0, structure, member});
  const std::optional<uint32_t> result = member_offset(types_, structure, member);
  known_.emplace(std::pair(structure, member), result);
  return result;
}

Compilation::Compilation(const CompileInput &in, const Layout &lay, ObjectBuilder &obj, const Subroutines &subs,
                         const Division &how, Questions &asked)
    : input(in), layout(lay), object(obj), subroutines(subs), types(in.types), kernel(in.types, asked), division(how) {
  for (uint32_t i = 0; i < in.unit.variables.size(); i++) {
    const tree::VariableInfo &info = in.unit.variables[i];
    if (info.scope != Scope::kClause || types.is_scalar(info.type)) continue;
    this_offsets_.emplace(i, this_end_);
    this_end_ = align_up(this_end_ + layout.plan.variables[i].size_bytes + (layout.null_flags[i] ? 1 : 0), 8);
  }
  if (!layout.error_clauses.empty()) {
    error_shift_ = this_end_ - kSlotHead;
    this_end_ += error_shift_;
  }
  bool tokens = false;
  size_t updates = 0, long_keys = 0;
  for (const ClauseLayout &clause : layout.clauses) {
    walk_statements(clause.clause->body, [&](const tree::Stmt &stmt) {
      const auto *update = std::get_if<tree::AggUpdate>(&stmt.node);
      if (update == nullptr) return;
      updates++;
      long_keys += layout.plan.aggregations[update->aggregation.value].by_hash;
    });
    walk(*clause.clause, [&](const tree::Expr &expr) {
      auto *call = std::get_if<tree::Call>(&expr.node);
      tokens |= call != nullptr && call->subr == Builtin::k_strtok;
    });
  }
  calls_for_updates = updates > kMaxCopiedUpdates;
  calls_for_long_keys = long_keys > kMaxCopiedLongKeys;
  if (tokens) {
    token_offset_ = this_end_;
    this_end_ = align_up(this_end_ + static_cast<uint32_t>(types.strsize()), 8);
  }
}

llvm::GlobalVariable *Compilation::once(llvm::GlobalVariable *&cell, const std::string &name, const MapShape &shape) {
  if (cell == nullptr) cell = object.map(name, shape);
  return cell;
}

llvm::GlobalVariable *Compilation::shared(const std::string &name, const MapShape &shape) {
  return once(shared_[name], name, shape);
}

llvm::GlobalVariable *Compilation::control() { return object.library_variable("dt_control"); }

llvm::GlobalVariable *Compilation::globals() {
  if (globals_ == nullptr) globals_ = object.variable("dt_globals", std::max<uint32_t>(layout.globals_bytes, 8));
  return globals_;
}

llvm::GlobalVariable *Compilation::thread_storage() {
  return once(thread_storage_, "dt_self",
              {.type = kTaskStorage,
               .value_bytes = layout.thread_bytes,
               .max_entries = 0,
               .flags = kNoPrealloc,
               .typed = true});
}

llvm::GlobalVariable *Compilation::drops() {
  const auto causes = static_cast<uint32_t>(Cause::kCount);
  return once(
      drops_, "dt_drops",
      {.type = kPerCpuArray, .value_bytes = 8, .max_entries = causes * static_cast<uint32_t>(layout.clauses.size())});
}

llvm::GlobalVariable *Compilation::speculations() {
  return once(speculations_, "dt_speculations",
              {.type = kArray, .value_bytes = 16, .max_entries = layout.plan.nr_speculations + 1});
}

llvm::GlobalVariable *Compilation::logs() {
  const MapShape log{
      .type = kArray, .value_bytes = layout.plan.log_slot_bytes, .max_entries = 1, .flags = kMmapable | kInnerMap};
  return once(logs_, "dt_logs", {.type = kArrayOfMaps, .value_bytes = 4, .max_entries = input.nr_cpus, .inner = &log});
}

llvm::GlobalVariable *Compilation::log_heads() {
  return once(log_heads_, "dt_log_heads", {.type = kPerCpuArray, .value_bytes = 8, .max_entries = 1});
}

llvm::GlobalVariable *Compilation::aggregation(uint32_t index) {
  const AggregationPlan &plan = layout.plan.aggregations[index];
  const MapShape table{.type = kHash,
                       .key_bytes = plan.table_key_bytes(),
                       .value_bytes = plan.table_value_bytes(),
                       .max_entries = 1,
                       .flags = kNoPrealloc};
  return shared(plan.map, {.type = kArrayOfMaps, .value_bytes = 4, .max_entries = 2 * input.nr_cpus, .inner = &table});
}

llvm::GlobalVariable *Compilation::totals() {
  if (totals_ == nullptr) totals_ = object.shared_variable("dt_totals", layout.plan.totals_bytes);
  return totals_;
}

llvm::GlobalVariable *Compilation::array(uint32_t variable) {
  const VariablePlan &plan = layout.plan.variables[variable];
  const int64_t room = input.options.number(Opt::dynvarsize);
  const uint32_t element = plan.key_bytes + plan.size_bytes + kElementOverheadBytes;
  const auto entries = static_cast<uint32_t>(std::clamp<int64_t>(room / element, 1, 1 << 24));
  return shared(plan.map, {.type = kHash,
                           .key_bytes = plan.key_bytes,
                           .value_bytes = std::max<uint32_t>(plan.size_bytes, 1),
                           .max_entries = entries,
                           .flags = kNoPrealloc});
}

llvm::GlobalVariable *Compilation::scratch() {
  // The map's value size is known when all code exists, so until then a declaration stands for it.
  if (scratch_placeholder_ == nullptr) {
    facts.uses_scratch = true;
    scratch_placeholder_ = new llvm::GlobalVariable(object.module(), object.i64(), false,
                                                    llvm::GlobalValue::ExternalLinkage, nullptr, "dt_scratch_wanted");
  }
  return scratch_placeholder_;
}

llvm::Constant *Compilation::slot_bytes() {
  if (slot_bytes_ == nullptr)
    slot_bytes_ = new llvm::GlobalVariable(object.module(), object.i64(), true, llvm::GlobalValue::ExternalLinkage,
                                           llvm::ConstantInt::get(object.i64(), 0), "dt_slot_bytes");
  return slot_bytes_;
}

llvm::Constant *Compilation::slots_apart() {
  if (slots_apart_ == nullptr)
    slots_apart_ = new llvm::GlobalVariable(object.module(), object.i32(), true, llvm::GlobalValue::ExternalLinkage,
                                            llvm::ConstantInt::get(object.i32(), 0), "dt_slots_apart");
  return slots_apart_;
}

void Compilation::want_slot(uint32_t end_bytes) { slot_end_ = std::max(slot_end_, end_bytes); }

uint32_t Compilation::token_offset() {
  want_slot(this_end_);
  return token_offset_;
}

llvm::GlobalVariable *Compilation::chills() {
  return once(chills_, "dt_chills", {.type = kPerCpuArray, .value_bytes = 64, .max_entries = 1});
}

llvm::GlobalVariable *Compilation::names() {
  return once(names_, "dt_names",
              {.type = kHash, .value_bytes = sizeof(dt_names), .max_entries = 1, .flags = kNoPrealloc});
}

llvm::GlobalVariable *Compilation::cgroups() {
  facts.names_cgroups = true;
  if (cgroups_ == nullptr)
    cgroups_ = object.shared_variable("dt_cgroups", sizeof(dt_cgroup) * DT_CGROUP_SETS * DT_CGROUP_WAYS);
  return cgroups_;
}

llvm::GlobalVariable *Compilation::cgroup_names() {
  facts.names_cgroups = true;
  return once(cgroup_names_, "dt_cgroup_names",
              {.type = kHash,
               .key_bytes = 8,
               .value_bytes = sizeof(dt_cgroup_names),
               .max_entries = DT_CGROUP_SETS * DT_CGROUP_WAYS,
               .flags = kNoPrealloc});
}

std::optional<uint32_t> Compilation::cgroup_bit(Variable name, const std::string &text) {
  std::vector<CgroupTest> &tests = facts.cgroup_tests;
  const CgroupTest wanted{name, text};
  auto known = std::ranges::find(tests, wanted);
  if (known == tests.end() && tests.size() == DT_CGROUP_MAX_TESTS) return std::nullopt;
  if (known == tests.end()) known = tests.insert(tests.end(), wanted);
  return DT_CGROUP_TESTS + static_cast<uint32_t>(known - tests.begin());
}

llvm::GlobalVariable *Compilation::operands() {
  return once(
      operands_, "dt_operands",
      {.type = kHash, .value_bytes = sizeof(dt_operand), .max_entries = kMaxLateOperands, .flags = kNoPrealloc});
}

llvm::GlobalVariable *Compilation::running() {
  return once(running_, "dt_running", {.type = kPerCpuArray, .value_bytes = 8, .max_entries = 2});
}

namespace {

/// Makes the constant structure of 32-bit words that a function of the library reads.
void define_layout(ObjectBuilder &object, const char *name, const std::vector<uint32_t> &values) {
  std::vector<llvm::Constant *> words;
  for (uint32_t value : values) words.push_back(llvm::ConstantInt::get(object.i32(), value));
  auto *type = llvm::StructType::get(object.context(), std::vector<llvm::Type *>(words.size(), object.i32()));
  new llvm::GlobalVariable(object.module(), type, true, llvm::GlobalValue::ExternalLinkage,
                           llvm::ConstantStruct::get(type, words), name);
}

}  // namespace

void Compilation::define_pid_layout() {
  constexpr const char *kName = "dt_pid_layout";
  if (object.module().getNamedGlobal(kName) != nullptr) return;
  constexpr uint32_t kProcess = 1, kPointerBytes = 8, kNumberBytes = 16;  // PIDTYPE_TGID; struct upid
  const auto at = [&](const char *structure, const char *member) {
    return kernel.offset(structure, member).value_or(0);
  };
  define_layout(object, kName,
                {at("task_struct", "thread_pid"), at("task_struct", "signal"), at("task_struct", "real_parent"),
                 at("signal_struct", "pids") + kProcess * kPointerBytes, at("pid", "level"), at("pid", "numbers"),
                 kNumberBytes, at("upid", "ns"), at("pid_namespace", "ns.inum"), input.host.pid_namespace()});
}

void Compilation::define_path_layout() {
  constexpr const char *kName = "dt_path_layout";
  if (object.module().getNamedGlobal(kName) != nullptr) return;
  constexpr std::pair<const char *, const char *> kMembers[] = {
      {"path", "mnt"},          {"path", "dentry"},
      {"dentry", "d_parent"},   {"dentry", "d_name"},
      {"qstr", "name"},         {"qstr", "len"},
      {"vfsmount", "mnt_root"}, {"mount", "mnt"},
      {"mount", "mnt_parent"},  {"mount", "mnt_mountpoint"},
  };
  std::vector<uint32_t> offsets;
  for (auto &[structure, member] : kMembers) offsets.push_back(kernel.offset(structure, member).value_or(0));
  // A superblock's mounts: a list through a member, the oldest first, and in newer kernels pointers, the newest first.
  const std::optional<uint32_t> in_list = kernel.offset("mount", "mnt_instance");
  offsets.push_back(in_list.value_or(0));
  offsets.push_back(in_list.value_or(kernel.offset("mount", "mnt_next_for_sb").value_or(0)));
  offsets.push_back(kernel.offset("dentry", "d_sb").value_or(0));
  offsets.push_back(kernel.offset("super_block", "s_mounts").value_or(0));
  offsets.push_back(kernel.offset("super_block", "s_root").value_or(0));
  define_layout(object, kName, offsets);
}

uint32_t Compilation::unwind_most() {
  if (!unwind_most_) unwind_most_ = find_unwind_layout();
  return *unwind_most_;
}

namespace {

/// What tells files apart; the time of change has moved more than once.
template <typename Kernel>
void find_file_members(Kernel &kernel, dt_unwind_layout &found) {
  struct Row {
    uint32_t dt_unwind_layout::*to;
    const char *structure;
    std::array<const char *, 3> members;  // of newer kernels first
  };
  constexpr Row kRows[] = {
      {&dt_unwind_layout::vma_page, "vm_area_struct", {"vm_pgoff"}},
      {&dt_unwind_layout::file_inode, "file", {"f_inode"}},
      {&dt_unwind_layout::inode_number, "inode", {"i_ino"}},
      {&dt_unwind_layout::inode_changed_s, "inode", {"i_ctime_sec", "__i_ctime.tv_sec", "i_ctime.tv_sec"}},
      {&dt_unwind_layout::inode_changed_ns, "inode", {"i_ctime_nsec", "__i_ctime.tv_nsec", "i_ctime.tv_nsec"}},
      {&dt_unwind_layout::inode_super, "inode", {"i_sb"}},
      {&dt_unwind_layout::super_device, "super_block", {"s_dev"}},
  };
  for (const Row &row : kRows) {
    std::optional<uint32_t> offset;
    for (const char *member : row.members)
      if (member != nullptr && !offset) offset = kernel.offset(row.structure, member);
    if (!offset) return;
    found.*row.to = *offset;
  }
  found.knows_files = 1;
}

}  // namespace

uint32_t Compilation::find_unwind_layout() {
  if (input.options.number(Opt::unwindsize) == 0) return 0;
  dt_unwind_layout found{};
  struct Row {
    uint32_t dt_unwind_layout::*to;
    const char *structure, *member;
  };
  constexpr Row kRows[] = {
      {&dt_unwind_layout::task_mm, "task_struct", "mm"},
      {&dt_unwind_layout::task_parent, "task_struct", "real_parent"},
      {&dt_unwind_layout::task_tgid, "task_struct", "tgid"},
      {&dt_unwind_layout::task_utask, "task_struct", "utask"},
      {&dt_unwind_layout::mm_stack_start, "mm_struct", "start_stack"},
      {&dt_unwind_layout::mm_code_start, "mm_struct", "start_code"},
      {&dt_unwind_layout::mm_task_size, "mm_struct", "task_size"},
      {&dt_unwind_layout::mm_out_of_line, "mm_struct", "uprobes_state.xol_area"},
      {&dt_unwind_layout::area_start, "xol_area", "vaddr"},
      {&dt_unwind_layout::utask_returns, "uprobe_task", "return_instances"},
      {&dt_unwind_layout::return_stack, "return_instance", "stack"},
      {&dt_unwind_layout::return_address, "return_instance", "orig_ret_vaddr"},
      {&dt_unwind_layout::return_next, "return_instance", "next"},
      {&dt_unwind_layout::vma_start, "vm_area_struct", "vm_start"},
      {&dt_unwind_layout::vma_end, "vm_area_struct", "vm_end"},
      {&dt_unwind_layout::vma_flags, "vm_area_struct", "vm_flags"},
      {&dt_unwind_layout::vma_file, "vm_area_struct", "vm_file"},
  };
  for (const Row &row : kRows) {
    const std::optional<uint32_t> offset = kernel.offset(row.structure, row.member);
    if (!offset) return 0;
    found.*row.to = *offset;
  }
  find_file_members(kernel, found);
  const arch::Registers &registers = input.machine.registers;
  const arch::FrameRegisters &frames = input.machine.frame_registers;
  found.pc = registers.instruction;
  found.stack = registers.stack;
  found.frame = frames.offsets[frames.frame];
  found.other = frames.offsets[frames.other];
  found.link = registers.return_address.value_or(0);
  found.narrow = registers.in_32bit_program.offset;
  found.narrow_mask = static_cast<uint32_t>(registers.in_32bit_program.mask);
  found.narrow_value = static_cast<uint32_t>(registers.in_32bit_program.value);
  constexpr uint32_t kCaller = 2;  // frames of the walk for ucaller
  found.most = kCaller;
  for (const ClauseLayout &clause : layout.clauses)
    walk(*clause.clause, [&](const tree::Expr &expr) {
      if (const auto *stack = std::get_if<tree::StackValue>(&expr.node))
        if (stack->kind != Builtin::k_stack) found.most = std::max(found.most, frames_of(input, *stack));
      if (const auto *variable = std::get_if<tree::BuiltinRef>(&expr.node))
        if (variable->var == Variable::k_ustackdepth)
          found.most = std::max(found.most, static_cast<uint32_t>(most_user_frames(input)));
    });
  facts.unwind = found;
  return found.most;
}

llvm::FunctionCallee Compilation::unwind() {
  return object.linked_function("dt_unwind", object.i32(), std::array<llvm::Type *, 2>{object.pointer(), object.i32()});
}

uint32_t Compilation::this_offset(uint32_t variable, bool in_error) {
  const uint32_t offset = this_offsets_.at(variable) + (in_error ? error_shift_ : 0);
  want_slot(offset + layout.plan.variables[variable].size_bytes + (layout.null_flags[variable] ? 1 : 0));
  return offset;
}

uint32_t Compilation::slots_per_cpu() const {
  uint32_t owned = 0;
  bool preemptible = false;
  for (const ProgramPlan &program : layout.plan.programs) {
    if (program.own_slot) owned = std::max(owned, *program.own_slot + 1);
    preemptible |= program.hook.preemptible;
  }
  if (owned != 0) return owned;
  return preemptible ? kSlotsPreemptible : kSlots;
}

void Compilation::finish() {
  const uint32_t bytes = align_up(slot_end_, 8);
  if (scratch_placeholder_ != nullptr) slot_bytes();  // the library's string functions look for it
  if (slot_bytes_ != nullptr) slot_bytes_->setInitializer(llvm::ConstantInt::get(object.i64(), bytes));
  if (scratch_placeholder_ != nullptr) {
    const bool per_cpu = bytes <= kMaxPerCpuBytes;
    const uint32_t slots = slots_per_cpu();
    if (slots_apart_ != nullptr)
      slots_apart_->setInitializer(llvm::ConstantInt::get(object.i32(), per_cpu ? 0 : slots));
    llvm::GlobalVariable *map = object.map("dt_scratch", {.type = per_cpu ? kPerCpuArray : kArray,
                                                          .value_bytes = bytes,
                                                          .max_entries = per_cpu ? slots : input.nr_cpus * slots});
    scratch_placeholder_->replaceAllUsesWith(map);
    scratch_placeholder_->eraseFromParent();
    scratch_placeholder_ = nullptr;
  }
}

}  // namespace dtrace::codegen
