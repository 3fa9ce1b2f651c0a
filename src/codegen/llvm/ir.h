// SPDX-License-Identifier: Apache-2.0
// LLVM's headers and the few types that every emitter uses.
#pragma once

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <cstdint>

namespace dtrace::codegen {

using Builder = llvm::IRBuilder<>;

/// Numbers of the BPF helpers we call; the kernel's ABI (enum bpf_func_id).
enum class Helper : uint32_t {
  kMapLookup = 1,
  kMapUpdate = 2,
  kMapDelete = 3,
  kKtime = 5,
  kSmpProcessorId = 8,
  kPrandom = 7,
  kPidTgid = 14,
  kUidGid = 15,
  kComm = 16,
  kCurrentTask = 35,
  kProbeWriteUser = 36,
  kPerfProgReadValue = 56,
  kCurrentCgroupId = 80,
  kGetStack = 67,
  kSendSignal = 109,
  kProbeReadUser = 112,
  kProbeReadKernel = 113,
  kProbeReadUserStr = 114,
  kProbeReadKernelStr = 115,
  kKtimeBoot = 125,
  kRingbufReserve = 131,
  kRingbufSubmit = 132,
  kRingbufDiscard = 133,
  kCopyFromUser = 148,
  kTaskStorageGet = 156,
  kCurrentTaskBtf = 158,
  kFuncIp = 173,
  kAttachCookie = 174,
  kTaskPtRegs = 175,
  kStrncmp = 182,
  kFuncArg = 183,
  kFuncRet = 184,
};

}  // namespace dtrace::codegen
