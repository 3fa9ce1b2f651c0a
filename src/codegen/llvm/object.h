// SPDX-License-Identifier: Apache-2.0
// The object being made: one LLVM module with what libbpf expects of it, that is maps and functions with BTF. Emitters
// ask it for functions, maps and constants; it knows nothing of D.
//
// What a reader would get wrong: BTF is made by LLVM from debug information, so every function and map must carry some,
// and a function without it makes the kernel refuse all of them.
#pragma once

#include <cerrno>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arch/llvm_start.h"
#include "base/result.h"
#include "codegen/llvm/ir.h"
#include "frontend/text/source.h"

namespace llvm {
class TargetMachine;
}

namespace dtrace::codegen {

/// A map as libbpf reads it from BTF.
struct MapShape {
  uint32_t type = 0;  ///< BPF_MAP_TYPE_*
  uint32_t key_bytes = 4;
  uint32_t value_bytes = 0;
  uint32_t max_entries = 1;
  uint32_t flags = 0;
  bool typed = false;               ///< key and value need BTF types, not just sizes (task storage)
  const MapShape *inner = nullptr;  ///< ARRAY_OF_MAPS: shape of what its slots hold
};

class ObjectBuilder {
 public:
  explicit ObjectBuilder(const Sources &sources);
  ~ObjectBuilder();
  ObjectBuilder(const ObjectBuilder &) = delete;
  ObjectBuilder &operator=(const ObjectBuilder &) = delete;

  llvm::LLVMContext &context() { return context_; }
  llvm::Module &module() { return *module_; }

  // --- types
  llvm::Type *void_type() { return llvm::Type::getVoidTy(context_); }
  llvm::IntegerType *i1() { return llvm::Type::getInt1Ty(context_); }
  llvm::IntegerType *i8() { return llvm::Type::getInt8Ty(context_); }
  llvm::IntegerType *i16() { return llvm::Type::getInt16Ty(context_); }
  llvm::IntegerType *i32() { return llvm::Type::getInt32Ty(context_); }
  llvm::IntegerType *i64() { return llvm::Type::getInt64Ty(context_); }
  llvm::IntegerType *integer(uint64_t size_bytes) {
    return llvm::Type::getIntNTy(context_, static_cast<unsigned>(size_bytes * 8));
  }
  llvm::PointerType *pointer() { return llvm::PointerType::getUnqual(context_); }
  llvm::ArrayType *bytes(uint64_t size_bytes) { return llvm::ArrayType::get(i8(), size_bytes); }

  // --- the BPF library (bpf/*.bpf.c)
  /// A function or variable of the library; using it links it. The name must exist: anything else is our bug.
  llvm::FunctionCallee library(std::string_view name);
  llvm::GlobalVariable *library_variable(std::string_view name);
  /// A function that the loader links. Its type must be that of the other object's, in which pointers are to void.
  llvm::FunctionCallee linked_function(const std::string &name, llvm::Type *result,
                                       std::span<llvm::Type *const> parameters);

  // --- functions
  /// A function with BTF. `section` empty: a subprogram; parameters are i64, i32 or ptr.
  llvm::Function *function(const std::string &name, llvm::Type *result, std::span<llvm::Type *const> parameters,
                           const std::string &section, Span span);
  /// Position of `span` for instructions of `function`.
  llvm::DebugLoc location(Span span, llvm::Function *function);

  // --- data
  llvm::GlobalVariable *map(const std::string &name, const MapShape &shape);
  /// Read-only bytes; equal contents are one constant. Aligned to 8.
  llvm::GlobalVariable *constant_bytes(std::string_view bytes);
  llvm::GlobalVariable *constant_table(std::span<const uint64_t> values, llvm::IntegerType *element);
  /// At least `size_bytes` of zeros.
  llvm::GlobalVariable *zeros(uint64_t size_bytes);
  /// A zero-initialised variable in .bss.
  llvm::GlobalVariable *variable(const std::string &name, uint64_t size_bytes);
  /// The same in section .bss.NAME, which the consumer can map.
  llvm::GlobalVariable *shared_variable(const std::string &name, uint64_t size_bytes);

  // --- the end
  /// Links the library, optimises, emits; appends to `listing` what is `wanted` (bits of Listing). Nothing else may be
  /// called after it. Errors: what LLVM's back end refuses; kOutOfStack if a function needs more stack than BPF has.
  Result<std::vector<char>> finish(unsigned wanted, std::string &listing);
  static constexpr int kOutOfStack = EOVERFLOW;  ///< Error::errno_value()

 private:
  /// Keeps the first error that the back end reports. Without this handler LLVM would end the process.
  static void note_problem(const llvm::DiagnosticInfo *info, void *self);
  llvm::DIFile *file_of(Span span);
  llvm::DIType *btf_type(llvm::Type *type);
  llvm::DIType *map_type(const std::string &name, const MapShape &shape);
  llvm::DIType *number_member(uint32_t value);
  void optimise();
  Result<std::vector<char>> emit(bool as_text);

  /// A context asks LLVM's options already, so this comes first.
  struct Started {
    Started() { arch::start_llvm(); }
  } started_;
  const Sources &sources_;
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::TargetMachine> machine_;
  std::unique_ptr<llvm::Module> module_;
  std::unique_ptr<llvm::Module> library_;
  std::unique_ptr<llvm::DIBuilder> debug_;
  llvm::DICompileUnit *unit_ = nullptr;
  llvm::DIFile *no_file_ = nullptr;
  llvm::DIBasicType *int_type_ = nullptr;
  std::vector<std::pair<uint32_t, llvm::DIFile *>> files_;
  std::map<std::string, llvm::GlobalVariable *, std::less<>> constants_;
  std::vector<std::string> kept_;  ///< names that stay visible to libbpf
  llvm::GlobalVariable *zeros_ = nullptr;
  uint64_t zeros_size_ = 0;
  std::string problem_;  ///< the first error that LLVM's back end reported
  int problem_errno_ = 0;
};

}  // namespace dtrace::codegen
