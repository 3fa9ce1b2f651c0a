// SPDX-License-Identifier: Apache-2.0
// Any bytes are a record to the consumer's side: decoded by a plan that may not fit them, they print as something, in
// every form that a value can be printed in. The input begins with the plan: a count, then three bytes a value (kind,
// offset, size), then the number of a format; the rest is the record.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "runtime/consume/decode.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/print/printf.h"
#include "runtime/print/trace_value.h"
#include "runtime/print/typed.h"
#include "runtime/probes/catalog.h"
#include "test/unit/runtime/print_support.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

constexpr const char *kFormats[] = {"%d %s %x", "%5.3s|%-8d|%08x", "%S %C %c", "%a %A %p", "%Y %T",
                                    "%k %s",    "%e %f %g",        "%*d %.*s", "%?x %u"};
constexpr Builtin kSymbols[] = {Builtin::k_sym, Builtin::k_mod, Builtin::k_usym, Builtin::k_umod, Builtin::k_uaddr};
constexpr Variable kParts[] = {Variable::k_probeprov, Variable::k_probemod, Variable::k_probefunc,
                               Variable::k_probename};

class NoWatcher : public ProcessWatcher {
 public:
  void saw_process(pid_t) override {}
};

/// Types whose objects print() shows: bit-fields, an array of pointers, text, an enum, a union.
std::vector<TypeId> typed_objects(TypeTable &types) {
  const TypeId text = types.array_of(types.char_type(), 8);
  const TypeId inner = types.declare_tag(TagKind::kUnion, "either");
  const TypeTable::NewMember either[] = {{"number", types.long_type()}, {"text", text}};
  types.complete_struct(inner, either);
  const TypeId outer = types.declare_tag(TagKind::kStruct, "object");
  const TypeTable::NewMember members[] = {{"id", types.int_type()},
                                          {"name", text},
                                          {"either", inner},
                                          {"links", types.array_of(types.pointer_to(outer), 2)}};
  types.complete_struct(outer, members);
  return {types.int_type(), types.ulong_type(), text, outer, types.pointer_to(outer), types.string_type()};
}

struct Fixture {
  KernelInfo kernel;
  Catalog catalog{kernel};
  TypeTable types;
  NoWatcher watcher;
  test::FixedSymbols symbols;
  Decoder decoder{catalog, types, watcher};
  std::vector<TypeId> objects = typed_objects(types);
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Fixture fixture;
  size_t at = 0;
  const auto next = [&]() -> uint8_t { return at < size ? data[at++] : 0; };

  std::vector<ValuePlan> plans(next() % 5);
  std::vector<TypeId> types;
  for (ValuePlan &plan : plans) {
    const uint8_t choice = next();
    plan.kind = static_cast<ValuePlan::Kind>(choice % 12);
    plan.offset = next() * 8U;  // the code generator aligns values
    plan.size_bytes = next();
    if (plan.kind == ValuePlan::Kind::kInteger) plan.size_bytes = 1U << plan.size_bytes % 4;
    if (plan.kind == ValuePlan::Kind::kProbePart) plan.size_bytes = 4;
    plan.is_signed = (choice & 16) != 0;
    plan.builtin = kSymbols[choice % std::size(kSymbols)];
    plan.part = kParts[choice % std::size(kParts)];
    plan.type = fixture.objects[choice % fixture.objects.size()];
    plan.text = "constant";
  }
  const FormatString format = test::format(kFormats[next() % std::size(kFormats)]);
  // Records lie at multiples of 8 in the ring.
  std::vector<uint64_t> words((size - at + 7) / 8);
  std::copy(data + at, data + size, reinterpret_cast<uint8_t *>(words.data()));
  const std::span<const std::byte> record(reinterpret_cast<const std::byte *>(words.data()), size - at);

  const std::vector<Value> values = fixture.decoder.decode_all(plans, record);
  if (values.size() != plans.size()) std::abort();
  FormatContext context;
  context.text.symbolizer = &fixture.symbols;
  std::string out;
  for (const bool raw : {false, true}) {
    context.text.raw_bytes = raw;
    for (const Value &value : values) append_trace(out, value, context.text);
  }
  append_printf(out, format, values, context);
  const std::string_view bytes(reinterpret_cast<const char *>(record.data()), record.size());
  for (const ValuePlan &plan : plans) {
    append_pointed(out, fixture.types, plan.type, 0xffff888000000000, bytes);
    append_typed_value(out, fixture.types, plan.type, bytes, context.text);
  }
  return 0;
}
