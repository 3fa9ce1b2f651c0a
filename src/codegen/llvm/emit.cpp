// SPDX-License-Identifier: Apache-2.0
// From a finished module to ELF bytes: link what it uses of the BPF library, make everything else private, optimise,
// emit.
//
// What a reader would get wrong: LLVM makes BTF and DWARF from the same debug information, and nobody reads the DWARF.
// The module claims to want CodeView instead, which BPF does not have, so that only BTF is made.
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include <algorithm>
#include <cstdlib>
#include <unordered_set>

#include "codegen/llvm/object.h"
#include "codegen/llvm/target.h"
#include "codegen/planning/compile_input.h"

extern "C" {
void LLVMInitializeBPFTargetInfo();
void LLVMInitializeBPFTarget();
void LLVMInitializeBPFTargetMC();
void LLVMInitializeBPFAsmPrinter();
}

namespace dtrace::codegen {
namespace {

/// What LLVM cannot report otherwise (a jump too far, say): a mistake of ours, which should not look like a crash.
[[noreturn]] void give_up(void *, const char *reason, bool) {
  llvm::errs() << "dtrace: code generation failed: " << reason << "\n";
  exit(EXIT_FAILURE);
}

}  // namespace

std::unique_ptr<llvm::TargetMachine> make_bpf_machine() {
  [[maybe_unused]] static const bool initialised = [] {
    LLVMInitializeBPFTargetInfo();
    LLVMInitializeBPFTarget();
    LLVMInitializeBPFTargetMC();
    LLVMInitializeBPFAsmPrinter();
    llvm::install_fatal_error_handler(give_up);
    return true;
  }();
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget("bpf", error);
  if (target == nullptr) llvm::report_fatal_error(llvm::StringRef(error));
  llvm::TargetOptions options;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      "bpf", "v3", "", options, llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Default));
}

namespace {

/// Drops the flag `name`; a module has no call for that.
void remove_module_flag(llvm::Module &module, llvm::StringRef name) {
  llvm::NamedMDNode *flags = module.getModuleFlagsMetadata();
  if (flags == nullptr) return;
  std::vector<llvm::MDNode *> kept;
  for (llvm::MDNode *flag : flags->operands())
    if (llvm::cast<llvm::MDString>(flag->getOperand(1))->getString() != name) kept.push_back(flag);
  flags->clearOperands();
  for (llvm::MDNode *flag : kept) flags->addOperand(flag);
}

/// Removes the debug locations of variables in the library's functions. Nothing reads them, and following them through
/// every inlined copy of a function took as long as everything else. Lines, types and the names of parameters stay.
void forget_variable_places(llvm::Module &module) {
  for (llvm::Function &function : module.functions()) {
    for (llvm::BasicBlock &block : function) {
      for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
        instruction.dropDbgRecords();
        if (llvm::isa<llvm::DbgVariableIntrinsic>(instruction)) instruction.eraseFromParent();
      }
    }
  }
}

bool is_map(const llvm::GlobalVariable &variable) { return variable.getSection() == ".maps"; }

/// Beyond 128 stores LLVM makes a memset or memcpy a call of the C library's function, which no BPF program has. How
/// long they are is not ours to say: the optimiser joins neighbours, and of two alignments the lesser one counts.
void divide_blocks(llvm::Module &module) {
  constexpr uint64_t kMaxStores = 64;
  std::vector<llvm::MemIntrinsic *> large;
  for (llvm::Function &function : module.functions()) {
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *block = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
      if (block == nullptr || llvm::isa<llvm::MemMoveInst>(block)) continue;
      if (llvm::isa<llvm::ConstantInt>(block->getLength())) large.push_back(block);
    }
  }
  for (llvm::MemIntrinsic *block : large) {
    auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(block);
    llvm::Align align = std::min(block->getDestAlign().valueOrOne(), llvm::Align(8));
    if (copy != nullptr) align = std::min(align, copy->getSourceAlign().valueOrOne());
    const uint64_t size_bytes = llvm::cast<llvm::ConstantInt>(block->getLength())->getZExtValue();
    const uint64_t step = kMaxStores * align.value();
    if (size_bytes <= step) continue;
    llvm::IRBuilder<> b(block);
    for (uint64_t offset = 0; offset < size_bytes; offset += step) {
      const uint64_t bytes = std::min(step, size_bytes - offset);
      llvm::Value *to = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), block->getDest(), offset);
      if (copy != nullptr) {
        llvm::Value *from = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), copy->getSource(), offset);
        b.CreateMemCpy(to, align, from, align, bytes, copy->isVolatile());
      } else {
        b.CreateMemSet(to, llvm::cast<llvm::MemSetInst>(block)->getValue(), bytes, align, block->isVolatile());
      }
    }
    block->eraseFromParent();
  }
}

/// libbpf's linker wants one section of a name, where LLVM makes one for each size of constants that it may merge, and
/// BTF of all symbols that others can see.
void make_linkable(llvm::Module &module) {
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.isDeclaration()) continue;
    if (variable.getSection() == ".rodata") variable.setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::None);
    if (variable.getSection() == ".bss") variable.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

}  // namespace

Result<std::vector<char>> ObjectBuilder::finish(unsigned wanted, std::string &listing) {
  if (zeros_ != nullptr) {
    auto *type = bytes((zeros_size_ + 7) / 8 * 8);
    auto *real = new llvm::GlobalVariable(*module_, type, true, llvm::GlobalValue::InternalLinkage,
                                          llvm::Constant::getNullValue(type), "dt_zeros");
    real->setSection(".rodata");
    real->setAlignment(llvm::Align(8));
    zeros_->replaceAllUsesWith(real);
    zeros_->eraseFromParent();
  }
  library_variable("dt_license");
  library_variable("dt_control");
  debug_->finalize();

  if (llvm::Linker::linkModules(*module_, std::move(library_), llvm::Linker::LinkOnlyNeeded))
    return Error("cannot link the BPF library");
  forget_variable_places(*module_);

  for (llvm::Function &function : module_->functions()) {
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
  llvm::internalizeModule(*module_, [&](const llvm::GlobalValue &value) {
    const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&value);
    if (variable != nullptr && (is_map(*variable) || variable->hasSection())) return true;
    return std::find(kept_.begin(), kept_.end(), value.getName()) != kept_.end();
  });
  remove_module_flag(*module_, "Dwarf Version");
  module_->addModuleFlag(llvm::Module::Warning, "CodeView", 1);

#ifndef NDEBUG
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(*module_, &stream)) {
    module_->print(llvm::errs(), nullptr);
    llvm::report_fatal_error(llvm::StringRef("invalid module: " + stream.str()));
  }
#endif

  optimise();
  divide_blocks(*module_);
  make_linkable(*module_);
  // A cold function would get a section of its own, in which libbpf expects no subprogram.
  for (llvm::Function &function : module_->functions()) function.removeFnAttr(llvm::Attribute::Cold);
  if ((wanted & kListIr) != 0) {
    llvm::raw_string_ostream text(listing);
    module_->print(text, nullptr);
  }
  Result<std::vector<char>> object = emit(/*as_text=*/false);
  if (object && (wanted & kListAssembly) != 0) {
    Result<std::vector<char>> assembly = emit(/*as_text=*/true);
    if (assembly) listing.append(assembly->begin(), assembly->end());
  }
  return object;
}

void ObjectBuilder::optimise() {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  llvm::PassBuilder passes(machine_.get(), tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(components);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, components, modules);
  passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(*module_, modules);
}

Result<std::vector<char>> ObjectBuilder::emit(bool as_text) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine_->addPassesToEmitFile(passes, stream, nullptr,
                                    as_text ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile))
    return Error("LLVM cannot emit BPF objects");
  passes.run(*module_);
  if (!problem_.empty()) return Error("code generation: " + problem_, problem_errno_);
  return std::vector<char>(bytes.begin(), bytes.end());
}

}  // namespace dtrace::codegen
