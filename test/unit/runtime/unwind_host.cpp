// SPDX-License-Identifier: Apache-2.0
#include "unwind_host.h"

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstring>

#include "arch/machine.h"
#include "bpf/dt_managed.h"
#include "bpf/dt_unwind.h"

namespace dtrace::runtime::test {
namespace {

HostWalker *walker;  // the one that walks
std::byte *pool_memory;
uint64_t pool_bytes;
pid_t walked_pid;
const StoppedRegisters *walked_registers;

}  // namespace
}  // namespace dtrace::runtime::test

using namespace dtrace::runtime::test;  // what follows is C's

extern "C" {
struct dt_unwind_layout dt_unwind_layout;

int dt_unwind_x86_64(void *memory, int flags);
int dt_unwind_aarch64(void *memory, int flags);

unsigned char *dt_unwind_block(uint64_t index) {
  walker->look_up();
  return (index + 1) * DT_UNWIND_BLOCK_BYTES > pool_bytes
             ? nullptr
             : reinterpret_cast<unsigned char *>(pool_memory) + index * DT_UNWIND_BLOCK_BYTES;
}

long dt_unwind_read(void *to, uint32_t size_bytes, uint64_t from) {
  if (walker->read) return walker->read(to, size_bytes, from) ? 0 : -1;
  iovec local{to, size_bytes}, remote{reinterpret_cast<void *>(from), size_bytes};
  return process_vm_readv(walked_pid, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size_bytes) ? 0 : -1;
}

uint64_t dt_unwind_register(uint64_t, uint32_t word) { return walked_registers->at(8 * word); }

uint64_t dt_managed_seed = 0x1234567;

uint64_t dt_unwind_thread_pointer(uint32_t) { return walked_registers->thread_pointer; }

int dt_unwind_outside(dt_unwind_walk *walk) {
  walk->end = DT_UNWIND_NO_RULE;
  return 1;
}

void dt_unwind_ask_page(dt_unwind_walk *, unsigned char *, uint64_t word_place) {
  walker->asked.push_back(word_place);
  if (walker->answers) walker->rules().answer(static_cast<uint32_t>(word_place));
}

long dt_unwind_begin(dt_unwind_walk *walk) {
  const auto told = walker->told().find(walked_pid);
  walk->mappings = told == walker->told().end() ? 0 : told->second.mappings;
  walk->nr_mappings = told == walker->told().end() ? 0 : told->second.nr_mappings;
  const dtrace::arch::Machine &machine = walker->machine();
  const dtrace::arch::FrameRegisters &followed = machine.frame_registers;
  walk->pc = walked_registers->at(machine.registers.instruction);
  walk->stack = walked_registers->at(machine.registers.stack);
  walk->frame = walked_registers->at(followed.offsets[followed.frame]);
  walk->other = walked_registers->at(followed.offsets[followed.other]);
  walk->link = walked_registers->at(machine.registers.return_address.value_or(0));
  walk->address_mask = (uint64_t{1} << 48) - 1;
  return 0;
}
}

namespace dtrace::runtime::test {

StoppedRegisters StoppedRegisters::read(pid_t thread) {
  StoppedRegisters registers;
  iovec words{&registers.words, sizeof registers.words};
  ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &words);
#ifdef __x86_64__
  registers.thread_pointer = registers.at(offsetof(user_regs_struct, fs_base));
#else
  iovec pointer{&registers.thread_pointer, sizeof registers.thread_pointer};
  ptrace(PTRACE_GETREGSET, thread, NT_ARM_TLS, &pointer);
#endif
  return registers;
}

uint64_t StoppedRegisters::at(uint32_t offset) const {
  uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const std::byte *>(words.data()) + offset, sizeof value);
  return value;
}

HostWalker::HostWalker(uint64_t bytes, const arch::Machine &machine)
    : machine_(machine),
      memory_(bytes),
      pool_(memory_, machine.frame_registers.offsets, [] {}),
      rules_(
          pool_, machine,
          [this](pid_t pid, const dt_unwind_process *process) {
            if (process == nullptr)
              told_.erase(pid);
            else
              told_[pid] = *process;
            return true;
          },
          [](const dt_unwind_file_key &, const dt_unwind_file *) { return true; }, [this] { return shows_managed; }) {
  walker = this;
  dt_unwind_layout.most = 512;
  pool_memory = memory_.data();
  pool_bytes = memory_.size();
}

HostWalker::~HostWalker() { walker = nullptr; }

void HostWalker::set_mappings(pid_t pid, std::span<const dt_unwind_mapping> mappings) {
  dt_unwind_process process{};
  process.mappings = pool_.add_mappings(mappings).value();
  process.nr_mappings = static_cast<uint32_t>(mappings.size());
  told_[pid] = process;
}

Walk HostWalker::walk(pid_t pid, const StoppedRegisters &registers, uint32_t most, uint32_t flags) {
  walker = this;
  dt_unwind_layout.most = 512;
  pool_memory = memory_.data();
  pool_bytes = memory_.size();
  walked_pid = pid;
  walked_registers = &registers;
  std::vector<uint64_t> space(sizeof(dt_stack_walk) / 8 + dt_unwind_layout.most);
  dt_unwind_walk *walk = &reinterpret_cast<dt_stack_walk *>(space.data())->native;
  const bool is_arm64 = machine_.elf_machine == EM_AARCH64;
  Walk result;
  // A page that was missing is there the next time.
  do {
    asked.clear();
    nr_look_ups_ = 0;
    walk->pid = static_cast<uint32_t>(pid);
    walk->most = most;
    const auto nr_frames =
        static_cast<uint32_t>((is_arm64 ? dt_unwind_aarch64 : dt_unwind_x86_64)(space.data(), static_cast<int>(flags)));
    result.frames.assign(walk->frames, walk->frames + nr_frames);
    result.end = walk->end;
  } while (answers && !asked.empty() && result.end == DT_UNWIND_NO_TABLE);
  return result;
}

}  // namespace dtrace::runtime::test
