// SPDX-License-Identifier: Apache-2.0
// The cgroup of the current thread, and its names. Records and keys hold the id. A comparison with a literal is a bit
// that the consumer keeps in the cgroup's entry. Whatever else is done with a name reads it from a map.
#include "bpf/dt_cgroup.h"
#include "codegen/clause/text.h"

namespace dtrace::codegen {

llvm::Value *FiringEmitter::cgroup() {
  return lazy(kCellCgroup, object_.i64(), [&]() -> llvm::Value * {
    const KernelLayout &kernel = compilation_.kernel;
    constexpr std::pair<const char *, const char *> kWay[] = {
        {"task_struct", "cgroups"}, {"css_set", "dfl_cgrp"}, {"cgroup", "kn"}};
    const std::optional<uint32_t> id = kernel.offset("kernfs_node", "id");
    llvm::Value *place = task();
    for (const auto &[structure, member] : kWay) {
      const std::optional<uint32_t> offset = kernel.offset(structure, member);
      if (!offset || !id) return helper(Helper::kCurrentCgroupId, {});
      place = typed_pointer(place, *offset);
    }
    return typed_load(place, *id, 8);
  });
}

llvm::Value *FiringEmitter::named_cgroup() {
  compilation_.facts.names_cgroups = true;
  return cgroup();
}

llvm::Value *FiringEmitter::cgroup_test(uint32_t bit) {
  llvm::Value *answer = library("dt_cgroup_test", {compilation_.cgroups(), cgroup(), constant32(bit)});
  when(b_.CreateICmpUGT(answer, constant32(1)), [&] { drop(Cause::kCgroupUnknown); });
  return b_.CreateICmpEQ(answer, constant32(1));
}

llvm::Value *TextEmitter::cgroup_equals(Variable name, const std::string &literal) {
  const std::optional<uint32_t> bit = compilation_.cgroup_bit(name, literal);
  return bit ? cgroup_test(*bit) : nullptr;
}

EmittedText TextEmitter::cgroup_text(Variable name) {
  const auto [offset, size_bytes] = [&]() -> std::pair<size_t, size_t> {
    switch (name) {
      case Variable::k_cgrouppath:
        return {offsetof(dt_cgroup_names, path), sizeof(dt_cgroup_names::path)};
      case Variable::k_container:
        return {offsetof(dt_cgroup_names, container), sizeof(dt_cgroup_names::container)};
      case Variable::k_pod:
        return {offsetof(dt_cgroup_names, pod), sizeof(dt_cgroup_names::pod)};
      default:
        return {offsetof(dt_cgroup_names, zone), sizeof(dt_cgroup_names::zone)};
    }
  }();
  llvm::AllocaInst *id = local(object_.i64(), "cgroup");
  b_.CreateStore(cgroup(), id);
  llvm::Value *names = helper(Helper::kMapLookup, {compilation_.cgroup_names(), id}, object_.pointer());
  EmittedText value;
  value.kind = EmittedText::Kind::kMemory;
  value.size_bytes = static_cast<uint32_t>(size_bytes);
  value.padded = true;
  value.pointer = choose(
      b_.CreateIsNull(names), object_.pointer(),
      [&]() -> llvm::Value * {
        drop(Cause::kCgroupUnknown);
        return object_.zeros(size_bytes);
      },
      [&]() -> llvm::Value * { return at(names, offset); });
  return value;
}

}  // namespace dtrace::codegen
