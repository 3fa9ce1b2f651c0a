// SPDX-License-Identifier: Apache-2.0
// Any bytes as a program's file whose functions, lines, types and variables a D program asks for: everything that a
// clause could reach is asked, and each answer ends.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "frontend/types/types.h"
#include "runtime/debug_info/object_debug_info.h"
#include "runtime/debug_info/typed_arguments.h"

namespace {

using namespace dtrace;
using namespace dtrace::runtime;

constexpr unsigned kMaxFollowed = 4;
constexpr size_t kMaxAsked = 64;

/// Members, of members and of what pointers point to.
size_t ask_type(const TypeTable &types, TypeId type, unsigned depth) {
  size_t sum = types.name(type).size() + types.size_bytes(type) + types.align_bytes(type);
  if (depth == kMaxFollowed) return sum;
  const Type &plain = types.resolved(type);
  if (plain.kind == TypeKind::kPointer) return sum + ask_type(types, plain.target, depth + 1);
  sum += types.class_name(type).size() + types.template_argument(type, "T").has_value();
  size_t left = kMaxAsked;
  for (const Member &member : types.members(type)) {
    if (left-- == 0) break;
    sum += ask_type(types, member.type, depth + 1);
  }
  sum += types.find_member(type, "value").has_value() + types.enumerators(type).size() + types.parameters(type).size();
  return sum;
}

size_t ask(ObjectDebugInfo &info) {
  TypeTable types;
  size_t sum = 0;
  for (const TagKind kind : {TagKind::kOrdinary, TagKind::kStruct, TagKind::kUnion, TagKind::kEnum})
    for (const char *name : {"node", "pair", "node_t", "color", "far::Box<long, 3>", "far::Derived::Inner"})
      if (const auto found = info.types().find(kind, name))
        sum += ask_type(types, types.from_user(info.types(), *found), 0);
  for (const char *name : {"RED", "far::Kind::Small"})
    if (const auto found = info.types().find_enumerator(name))
      sum += static_cast<size_t>(found->second) + types.name(types.from_user(info.types(), found->first)).size();
  if (auto variable = info.types().find_variable("head"))
    sum += ask_type(types, types.from_user(info.types(), info.types().type_of(&*variable)), 0);
  for (uint64_t address = 0x1000; address < 0x1400; ++address) {
    if (const auto typed = entry_arguments(info, address, 10, types))
      for (const ProbeArg &arg : typed->args) sum += ask_type(types, arg.native, 0) + typed->operands.size();
    if (const auto typed = return_arguments(info, address, types)) sum += typed->size();
    for (const char *name : {"n", "sum", "label"})
      if (const auto typed = local_variable(info, address, name, 10, types))
        for (const ProbeArg &arg : typed->args) sum += ask_type(types, arg.native, 0) + typed->operands.size();
  }
  for (uint64_t address = 0x1000; address < 0x1400; address += 16)
    for (const ProbeArg &arg : local_variables(info, address, types)) sum += arg.name.size() + arg.where.size();
  std::vector<const InlinedCalls::Function *> functions;
  for (const InlinedCalls::Function &function : info.inlined().functions()) functions.push_back(&function);
  for (const InlinedCalls::Begin &begin : info.inlined().marked_begins(functions))
    if (const auto typed = inlined_arguments(info, begin.address, begin.call, types))
      for (const ProbeArg &arg : typed->args) sum += ask_type(types, arg.native, 0) + arg.where.size();
  for (const InlinedCalls::Function *function : functions)
    for (const uint32_t call : function->calls)
      sum += info.inlined().pieces(info.inlined().call(call)).size() +
             InlinedCalls::stated_entry(info.inlined().call(call)).has_value();
  info.lines().each_file([&](std::string_view file) { sum += file.size(); });
  sum += info.lines().each_start([](std::string_view file) { return !file.empty(); },
                                 [&](const DwarfLines::Start &start) { sum += start.line + start.address; });
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto file = std::make_shared<UserFile>();
  file->path = "/program";
  file->fd = Fd(memfd_create("fuzz", MFD_CLOEXEC));
  if (!file->fd || write(file->fd.get(), data, size) != static_cast<ssize_t>(size)) return 0;
  const auto object = std::make_shared<UserObject>(file, "/program");
  size_t sum = 0;
  if (const Result<std::unique_ptr<ObjectDebugInfo>> info = ObjectDebugInfo::open(object, getpid())) sum = ask(**info);
  // Whatever came out of it must not be optimised away.
  return sum == SIZE_MAX ? 1 : 0;
}
