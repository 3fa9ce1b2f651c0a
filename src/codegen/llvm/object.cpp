// SPDX-License-Identifier: Apache-2.0
// The module's functions, maps and data. The way from a finished module to ELF bytes is in emit.cpp.
#include "codegen/llvm/object.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <cassert>

#include "bpf/library.h"
#include "codegen/llvm/target.h"

namespace dtrace::codegen {
namespace {

llvm::DINode::DIFlags no_flags() { return llvm::DINode::FlagZero; }

}  // namespace

ObjectBuilder::ObjectBuilder(const Sources &sources) : sources_(sources), machine_(make_bpf_machine()) {
  context_.setDiagnosticHandlerCallBack(&ObjectBuilder::note_problem, this);
  module_ = std::make_unique<llvm::Module>("dtrace", context_);
  module_->setTargetTriple(machine_->getTargetTriple().str());
  module_->setDataLayout(machine_->createDataLayout());
  module_->addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);

  const std::span<const std::byte> bitcode = bpf_library();
  llvm::MemoryBufferRef buffer(llvm::StringRef(reinterpret_cast<const char *>(bitcode.data()), bitcode.size()),
                               "dt_library");
  llvm::Expected<std::unique_ptr<llvm::Module>> library =
      llvm::getLazyBitcodeModule(buffer, context_, /*ShouldLazyLoadMetadata=*/true);
  if (!library) llvm::report_fatal_error(library.takeError());
  library_ = std::move(*library);
  // These lists kept static functions and maps alive until now; linked, they would bring all of them along.
  for (const char *list : {"llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable *variable = library_->getNamedGlobal(list)) variable->eraseFromParent();

  debug_ = std::make_unique<llvm::DIBuilder>(*module_);
  no_file_ = debug_->createFile("dtrace", "", std::nullopt, llvm::StringRef(""));
  unit_ = debug_->createCompileUnit(llvm::dwarf::DW_LANG_C99, no_file_, "dtrace", true, "", 0);
  int_type_ = debug_->createBasicType("int", 32, llvm::dwarf::DW_ATE_signed);
}

ObjectBuilder::~ObjectBuilder() = default;

void ObjectBuilder::note_problem(const llvm::DiagnosticInfo *info, void *self) {
  if (info->getSeverity() != llvm::DS_Error) return;
  auto &object = *static_cast<ObjectBuilder *>(self);
  if (!object.problem_.empty()) return;  // it says the same of every instruction concerned
  llvm::raw_string_ostream stream(object.problem_);
  if (info->getKind() != llvm::DK_Unsupported) {
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info->print(printer);
    return;
  }
  const auto &unsupported = *static_cast<const llvm::DiagnosticInfoUnsupported *>(info);
  std::string message = unsupported.getMessage().str();
  if (message.find("stack limit") != std::string::npos) {
    object.problem_errno_ = kOutOfStack;
    message = "this needs more stack than BPF programs have (512 bytes)";
  }
  if (unsupported.isLocationAvailable()) stream << "line " << unsupported.getLocation().getLine() << ": ";
  stream << message;
}

// ---------------------------------------------------------------- the library

llvm::FunctionCallee ObjectBuilder::library(std::string_view name) {
  if (llvm::Function *known = module_->getFunction(name)) return known;
  llvm::Function *theirs = library_->getFunction(name);
  if (theirs == nullptr)
    llvm::report_fatal_error("the BPF library has no function " + llvm::Twine(llvm::StringRef(name)));
  theirs->setLinkage(llvm::GlobalValue::ExternalLinkage);
  auto *ours = llvm::Function::Create(theirs->getFunctionType(), llvm::GlobalValue::ExternalLinkage, theirs->getName(),
                                      *module_);
  ours->setAttributes(theirs->getAttributes());
  return ours;
}

llvm::GlobalVariable *ObjectBuilder::library_variable(std::string_view name) {
  if (llvm::GlobalVariable *known = module_->getNamedGlobal(name)) return known;
  llvm::GlobalVariable *theirs = library_->getNamedGlobal(name);
  if (theirs == nullptr)
    llvm::report_fatal_error("the BPF library has no variable " + llvm::Twine(llvm::StringRef(name)));
  return new llvm::GlobalVariable(*module_, theirs->getValueType(), theirs->isConstant(),
                                  llvm::GlobalValue::ExternalLinkage, nullptr, theirs->getName());
}

llvm::FunctionCallee ObjectBuilder::linked_function(const std::string &name, llvm::Type *result,
                                                    std::span<llvm::Type *const> parameters) {
  if (llvm::Function *known = module_->getFunction(name)) return known;
  auto *type = llvm::FunctionType::get(result, llvm::ArrayRef(parameters.data(), parameters.size()), false);
  auto *function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, *module_);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  // The linker finds it by BTF.
  std::vector<llvm::Metadata *> types{btf_type(result)};
  for (llvm::Type *parameter : parameters) types.push_back(btf_type(parameter));
  function->setSubprogram(debug_->createFunction(no_file_, name, name, no_file_, 0,
                                                 debug_->createSubroutineType(debug_->getOrCreateTypeArray(types)), 0,
                                                 llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagZero));
  return function;
}

// ---------------------------------------------------------------- functions

llvm::DIFile *ObjectBuilder::file_of(Span span) {
  for (auto &[id, file] : files_)
    if (id == span.source) return file;
  llvm::DIFile *file = no_file_;
  if (span.source < sources_.size()) {
    // Markers renumber lines, so the text's own lines would be shown wrongly: then the name alone must do.
    const Source &source = sources_[span.source];
    const std::string name = source.kind == SourceKind::kString ? "D program" : source.name;
    file = debug_->createFile(name, "", std::nullopt,
                              source.markers.empty() ? llvm::StringRef(source.text) : llvm::StringRef(""));
  }
  files_.emplace_back(span.source, file);
  return file;
}

llvm::DIType *ObjectBuilder::btf_type(llvm::Type *type) {
  if (type->isVoidTy()) return nullptr;
  if (type->isPointerTy()) return debug_->createPointerType(nullptr, 64);
  const unsigned bits = type->getIntegerBitWidth();
  if (bits == 32) return int_type_;
  return debug_->createBasicType(bits == 64 ? "long" : "char", bits, llvm::dwarf::DW_ATE_signed);
}

llvm::Function *ObjectBuilder::function(const std::string &name, llvm::Type *result,
                                        std::span<llvm::Type *const> parameters, const std::string &section,
                                        Span span) {
  auto *type = llvm::FunctionType::get(result, llvm::ArrayRef(parameters.data(), parameters.size()), false);
  const bool is_program = !section.empty();
  auto *function = llvm::Function::Create(
      type, is_program ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage, name, *module_);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  if (is_program) {
    function->setSection(section);
    kept_.push_back(name);
  }

  std::vector<llvm::Metadata *> types{btf_type(result)};
  for (llvm::Type *parameter : parameters) types.push_back(btf_type(parameter));
  llvm::DIFile *file = file_of(span);
  const unsigned line = span.source < sources_.size() ? sources_.position(span).line : 1;
  llvm::DISubprogram::DISPFlags flags = llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized;
  if (!is_program) flags |= llvm::DISubprogram::SPFlagLocalToUnit;
  llvm::DISubprogram *subprogram = debug_->createFunction(
      file, name, "", file, line, debug_->createSubroutineType(debug_->getOrCreateTypeArray(types)), line,
      llvm::DINode::FlagPrototyped, flags);
  // The kernel refuses BTF of a function whose parameters have no names.
  for (unsigned i = 0; i < parameters.size(); i++)
    debug_->createParameterVariable(subprogram, "p" + std::to_string(i), i + 1, file, line,
                                    llvm::cast<llvm::DIType>(types[i + 1]), /*AlwaysPreserve=*/true);
  function->setSubprogram(subprogram);
  return function;
}

llvm::DebugLoc ObjectBuilder::location(Span span, llvm::Function *function) {
  if (span.source >= sources_.size()) return llvm::DILocation::get(context_, 0, 0, function->getSubprogram());
  const Position position = sources_.position(span);
  llvm::DIScope *scope = function->getSubprogram();
  llvm::DIFile *file = file_of(span);
  if (function->getSubprogram()->getFile() != file) scope = debug_->createLexicalBlockFile(scope, file);
  return llvm::DILocation::get(context_, position.line, std::min<unsigned>(position.column, 1023), scope);
}

// ---------------------------------------------------------------- data

llvm::DIType *ObjectBuilder::number_member(uint32_t value) {
  llvm::Metadata *range = debug_->getOrCreateSubrange(0, int64_t{value});
  llvm::DIType *array = debug_->createArrayType(uint64_t{value} * 32, 32, int_type_, debug_->getOrCreateArray(range));
  return debug_->createPointerType(array, 64);
}

llvm::DIType *ObjectBuilder::map_type(const std::string &name, const MapShape &shape) {
  std::vector<std::pair<const char *, llvm::DIType *>> members{
      {"type", number_member(shape.type)},
      {"max_entries", number_member(shape.max_entries)},
  };
  if (shape.flags != 0) members.emplace_back("map_flags", number_member(shape.flags));
  if (shape.typed) {
    assert(shape.key_bytes == 4);
    const uint64_t words = (shape.value_bytes + 7) / 8;
    llvm::Metadata *range = debug_->getOrCreateSubrange(0, static_cast<int64_t>(words));
    llvm::DIType *value = debug_->createArrayType(words * 64, 64, btf_type(i64()), debug_->getOrCreateArray(range));
    members.emplace_back("key", debug_->createPointerType(int_type_, 64));
    members.emplace_back("value", debug_->createPointerType(value, 64));
  } else {
    members.emplace_back("key_size", number_member(shape.key_bytes));
    members.emplace_back("value_size", number_member(shape.value_bytes));
  }
  if (shape.inner != nullptr) {
    llvm::DIType *inner = debug_->createPointerType(map_type(name + "_slot", *shape.inner), 64);
    llvm::Metadata *none = debug_->getOrCreateSubrange(0, int64_t{0});
    members.emplace_back("values", debug_->createArrayType(0, 64, inner, debug_->getOrCreateArray(none)));
  }

  std::vector<llvm::Metadata *> nodes;
  uint64_t off_bits = 0;
  for (auto &[member, type] : members) {
    nodes.push_back(
        debug_->createMemberType(no_file_, member, no_file_, 0, type->getSizeInBits(), 64, off_bits, no_flags(), type));
    off_bits += type->getSizeInBits();
  }
  return debug_->createStructType(no_file_, name, no_file_, 0, off_bits, 64, no_flags(), nullptr,
                                  debug_->getOrCreateArray(nodes));
}

llvm::GlobalVariable *ObjectBuilder::map(const std::string &name, const MapShape &shape) {
  llvm::DIType *type = map_type(name + "_map", shape);
  auto *storage = llvm::ArrayType::get(i64(), std::max<uint64_t>(1, type->getSizeInBits() / 64));
  auto *map = new llvm::GlobalVariable(*module_, storage, false, llvm::GlobalValue::ExternalLinkage,
                                       llvm::Constant::getNullValue(storage), name);
  map->setSection(".maps");
  map->setAlignment(llvm::Align(8));
  map->addDebugInfo(debug_->createGlobalVariableExpression(unit_, name, name, no_file_, 0, type, false));
  kept_.push_back(name);
  return map;
}

llvm::GlobalVariable *ObjectBuilder::constant_bytes(std::string_view bytes) {
  auto known = constants_.find(bytes);
  if (known != constants_.end()) return known->second;
  llvm::Constant *value = llvm::ConstantDataArray::getString(context_, llvm::StringRef(bytes), /*AddNull=*/false);
  auto *constant =
      new llvm::GlobalVariable(*module_, value->getType(), true, llvm::GlobalValue::InternalLinkage, value, "dt_const");
  constant->setSection(".rodata");
  constant->setAlignment(llvm::Align(8));
  constants_.emplace(bytes, constant);
  return constant;
}

llvm::GlobalVariable *ObjectBuilder::constant_table(std::span<const uint64_t> values, llvm::IntegerType *element) {
  std::string bytes;
  const size_t width = element->getBitWidth() / 8;
  for (uint64_t value : values) bytes.append(reinterpret_cast<const char *>(&value), width);  // little-endian
  return constant_bytes(bytes);
}

llvm::GlobalVariable *ObjectBuilder::zeros(uint64_t size_bytes) {
  zeros_size_ = std::max(zeros_size_, size_bytes);
  // Its size is known at the end only, so it is a declaration until then.
  if (zeros_ == nullptr)
    zeros_ = new llvm::GlobalVariable(*module_, bytes(0), true, llvm::GlobalValue::ExternalLinkage, nullptr,
                                      "dt_zeros_wanted");
  return zeros_;
}

llvm::GlobalVariable *ObjectBuilder::variable(const std::string &name, uint64_t size_bytes) {
  auto *type = bytes(size_bytes);
  auto *variable = new llvm::GlobalVariable(*module_, type, false, llvm::GlobalValue::ExternalLinkage,
                                            llvm::Constant::getNullValue(type), name);
  variable->setSection(".bss");
  variable->setAlignment(llvm::Align(8));
  kept_.push_back(name);
  return variable;
}

llvm::GlobalVariable *ObjectBuilder::shared_variable(const std::string &name, uint64_t size_bytes) {
  llvm::GlobalVariable *shared = variable(name, size_bytes);
  shared->setSection(".bss." + name);
  // libbpf makes a section mappable that has a visible variable, says BTF.
  llvm::Metadata *range = debug_->getOrCreateSubrange(0, static_cast<int64_t>(size_bytes / 8));
  llvm::DIType *type = debug_->createArrayType(size_bytes * 8, 64, btf_type(i64()), debug_->getOrCreateArray(range));
  shared->addDebugInfo(debug_->createGlobalVariableExpression(unit_, name, name, no_file_, 0, type, false));
  return shared;
}

}  // namespace dtrace::codegen
