// SPDX-License-Identifier: Apache-2.0
// Subroutines on kernel objects, numbers of devices and networks, and the odd ones.
#include <llvm/IR/Intrinsics.h>

#include <algorithm>

#include "codegen/subroutines/subroutines.h"

namespace dtrace::codegen {
namespace {

constexpr uint64_t kMutexFlags = 7;       // low bits of struct mutex's owner
constexpr uint32_t kWriterLocked = 0xff;  // struct qrwlock's counter: a writer has it
constexpr uint32_t kReaderShift = 9;      // readers above that

Answer swap(Caller &c, uint64_t size_bytes) {
  llvm::IntegerType *type = c.e.object().integer(size_bytes);
  llvm::Value *low = c.b.CreateTrunc(c.number(0), type);
  llvm::Value *swapped = c.b.CreateUnaryIntrinsic(llvm::Intrinsic::bswap, low);
  return {c.b.CreateZExt(swapped, c.e.object().i64()), {}};
}

llvm::Value *owner(Caller &c) {
  const uint32_t offset = c.e.compilation().kernel.offset("mutex", "owner").value_or(0);
  llvm::Value *address = c.b.CreateAdd(c.number(0), c.c64(offset));
  c.e.set_position(c.expr);
  return c.b.CreateAnd(c.e.read_scalar(Space::kKernel, address, 8, false), ~kMutexFlags);
}

/// The counter of a reader-writer spin lock: the first word of it.
llvm::Value *lock_counter(Caller &c) {
  llvm::Value *address = c.number(0);
  c.e.set_position(c.expr);
  return c.e.read_scalar(Space::kKernel, address, 4, false);
}

Answer flag(Caller &c, llvm::Value *bit) { return {c.e.boolean(bit), {}}; }

/// Reads `size_bytes` at the address in argument `n` to where the library's text functions expect them.
void load_set(Caller &c, size_t n, uint32_t size_bytes) {
  llvm::Value *address = c.number(n);
  c.e.set_position(c.expr);
  c.e.read(c.space(n), c.e.at(c.slot(), offsetof(dt_slot, loop.set)), size_bytes, address);
}

constexpr uint32_t kAddressText = 64;  // any address as text

Answer inet4(Caller &c, size_t n) {
  Memory result = c.e.scratch(kAddressText);
  load_set(c, n, 4);
  c.e.library("dt_inet4_text", {c.slot(), c.c32(*result.slot_offset)});
  return c.text_of(result);
}

/// `plain`: i32, a mapped address is written as an IPv4 one.
Answer inet6(Caller &c, size_t n, llvm::Value *plain) {
  Memory result = c.e.scratch(kAddressText);
  load_set(c, n, 16);
  c.e.library("dt_inet6_text", {c.slot(), c.c32(*result.slot_offset), plain});
  return c.text_of(result);
}

/// Chooses between two strings at run time and copies the chosen one to one buffer.
Answer chosen(Caller &c, llvm::Value *condition, const std::function<Answer()> &then_part,
              const std::function<Answer()> &else_part) {
  Memory result = c.e.scratch(kAddressText);
  auto arm = [&](const std::function<Answer()> &part) -> llvm::Value * {
    Answer answer = part();
    c.e.copy(result.pointer, answer.text.pointer, kAddressText);
    return c.c64(0);
  };
  c.e.choose(condition, c.e.object().i64(), [&] { return arm(then_part); }, [&] { return arm(else_part); });
  return c.text_of(result);
}

}  // namespace

Answer sub_htons(Caller &c) { return swap(c, 2); }
Answer sub_htonl(Caller &c) { return swap(c, 4); }
Answer sub_htonll(Caller &c) { return swap(c, 8); }
Answer sub_ntohs(Caller &c) { return swap(c, 2); }
Answer sub_ntohl(Caller &c) { return swap(c, 4); }
Answer sub_ntohll(Caller &c) { return swap(c, 8); }

Answer sub_getmajor(Caller &c) {
  return {c.b.CreateLShr(c.b.CreateAnd(c.number(0), uint64_t{0xffffffff}), uint64_t{20}), {}};
}
Answer sub_getminor(Caller &c) { return {c.b.CreateAnd(c.number(0), uint64_t{0xfffff}), {}}; }

Answer sub_mutex_owner(Caller &c) { return {owner(c), {}}; }
Answer sub_mutex_owned(Caller &c) { return flag(c, c.b.CreateICmpEQ(owner(c), c.e.task_address())); }
Answer sub_mutex_type_adaptive(Caller &c) {
  c.number(0);
  return {c.c64(1), {}};
}
Answer sub_mutex_type_spin(Caller &c) {
  c.number(0);
  return {c.c64(0), {}};
}

Answer sub_rw_read_held(Caller &c) {
  return flag(c, c.b.CreateICmpNE(c.b.CreateLShr(lock_counter(c), uint64_t{kReaderShift}), c.c64(0)));
}
Answer sub_rw_write_held(Caller &c) {
  return flag(c, c.b.CreateICmpEQ(c.b.CreateAnd(lock_counter(c), uint64_t{kWriterLocked}), c.c64(kWriterLocked)));
}
/// The lock does not record which thread is its writer, so this answers for any writer.
Answer sub_rw_iswriter(Caller &c) { return sub_rw_write_held(c); }

Answer sub_progenyof(Caller &c) {
  llvm::Value *wanted = c.b.CreateTrunc(c.number(0), c.e.object().i32());
  const KernelLayout &kernel = c.e.compilation().kernel;
  const uint32_t parent = kernel.offset("task_struct", "real_parent").value_or(0);
  const uint32_t tgid = kernel.offset("task_struct", "tgid").value_or(0);
  llvm::Value *found = nullptr;
  if (c.e.compilation().input.host.pid_namespace() != 0) {
    c.e.compilation().define_pid_layout();
    found = c.e.library("dt_own_progenyof", {c.e.task_address(), wanted});
  } else {
    found = c.e.library("dt_progenyof", {c.e.task_address(), wanted, c.c32(parent), c.c32(tgid)});
  }
  return {c.b.CreateZExt(found, c.e.object().i64()), {}};
}

Answer sub_rand(Caller &c) {
  return {c.b.CreateSExt(c.e.helper(Helper::kPrandom, {}, c.e.object().i32()), c.e.object().i64()), {}};
}
Answer sub_speculation(Caller &c) { return {c.e.speculation(), {}}; }

Answer sub_inet_ntoa(Caller &c) { return inet4(c, 0); }
Answer sub_inet_ntoa6(Caller &c) {
  // The strict form keeps the prefix of an IPv4 address.
  if (!c.has(1)) return inet6(c, 0, c.c32(1));
  llvm::Value *plain = c.b.CreateICmpEQ(c.number(1), c.c64(0));
  return inet6(c, 0, c.b.CreateZExt(plain, c.e.object().i32()));
}

Answer sub_inet_ntop(Caller &c) {
  constexpr uint64_t kInet = 2, kInet6 = 10;
  if (std::optional<uint64_t> family = c.constant(0)) {
    if (*family == kInet) return inet4(c, 1);
    if (*family == kInet6) return inet6(c, 1, c.c32(0));
    c.e.fault(DT_FAULT_ILLOP);
    return c.text_of(c.e.scratch(kAddressText));
  }
  llvm::Value *family = c.number(0);
  llvm::Value *four = c.b.CreateICmpEQ(family, c.c64(kInet));
  llvm::Value *six = c.b.CreateICmpEQ(family, c.c64(kInet6));
  c.e.fault_if(c.b.CreateNot(c.b.CreateOr(four, six)), DT_FAULT_ILLOP);
  return chosen(c, four, [&] { return inet4(c, 1); }, [&] { return inet6(c, 1, c.c32(0)); });
}

Answer sub_link_ntop(Caller &c) {
  constexpr uint64_t kEther = 1, kInfiniband = 32;
  auto link = [&](uint32_t octets) {
    Memory result = c.e.scratch(kAddressText);
    load_set(c, 1, octets);
    c.e.library("dt_link_text", {c.slot(), c.c32(*result.slot_offset), c.c32(octets)});
    return c.text_of(result);
  };
  llvm::Value *type = c.number(0);
  llvm::Value *ether = c.b.CreateICmpEQ(type, c.c64(kEther));
  llvm::Value *infiniband = c.b.CreateICmpEQ(type, c.c64(kInfiniband));
  c.e.fault_if(c.b.CreateNot(c.b.CreateOr(ether, infiniband)), DT_FAULT_ILLOP);
  return chosen(c, ether, [&] { return link(6); }, [&] { return link(20); });
}

Answer sub_d_path(Caller &c) {
  llvm::Value *path = c.number(0);
  c.e.set_position(c.expr);
  c.e.read_scalar(Space::kKernel, path, 8, false);  // what cannot be read has no name
  return {nullptr, c.e.path_name(path)};
}

// The checker refuses these.
Answer sub_ddi_pathname(Caller &c) { return {c.c64(0), {}}; }
Answer sub_msgsize(Caller &c) { return {c.c64(0), {}}; }
Answer sub_msgdsize(Caller &c) { return {c.c64(0), {}}; }

}  // namespace dtrace::codegen
