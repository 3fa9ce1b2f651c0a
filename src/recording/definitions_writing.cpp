// SPDX-License-Identifier: Apache-2.0
#include "recording/definitions.h"
#include "recording/fields.h"

namespace dtrace::recording {
namespace {

/// Empty texts are left out, as protocol buffers do with what is by default.
template <typename Field>
void add_text(Builder<Field> &message, Field field, std::string_view text) {
  if (!text.empty()) message.add_bytes(field, text.data(), text.size());
}

template <typename Field>
void add_number(Builder<Field> &message, Field field, uint64_t number) {
  if (number != 0) message.add_uint64(field, number);
}

void append_argument(Builder<ProbeField> &probe, const Argument &argument) {
  std::string bytes;
  Builder<ArgumentField> message(bytes);
  add_text(message, ArgumentField::kNative, argument.native);
  add_text(message, ArgumentField::kTranslated, argument.translated);
  add_text(message, ArgumentField::kUndefined, argument.undefined);
  add_text(message, ArgumentField::kMissing, argument.missing);
  add_text(message, ArgumentField::kName, argument.name);
  add_number(message, ArgumentField::kSource, argument.source);
  add_number(message, ArgumentField::kPlace, argument.place);
  add_number(message, ArgumentField::kSpace, argument.space);
  probe.add_message(ProbeField::kArgument, bytes);
}

}  // namespace

void append_definition(std::string &to, const Fact &fact) {
  std::string bytes;
  Builder<FactField> message(bytes);
  add_text(message, FactField::kName, fact.name);
  add_text(message, FactField::kText, fact.text);
  Builder<DefinitionsField>(to).add_message(DefinitionsField::kFact, bytes);
}

void append_definition(std::string &to, const Leaf &leaf) {
  std::string bytes;
  Builder<LeafField> message(bytes);
  add_number(message, LeafField::kId, leaf.id);
  add_text(message, LeafField::kIdentity, leaf.identity);
  add_text(message, LeafField::kLabel, leaf.label);
  add_text(message, LeafField::kType, leaf.type);
  Builder<DefinitionsField>(to).add_message(DefinitionsField::kLeaf, bytes);
}

void append_definition(std::string &to, const LeafSet &set) {
  std::string bytes;
  Builder<SetField> message(bytes);
  add_number(message, SetField::kId, set.id);
  message.add_packed_uint32(SetField::kLeaves, set.leaves.begin(), set.leaves.end());
  Builder<DefinitionsField>(to).add_message(DefinitionsField::kSet, bytes);
}

void append_definition(std::string &to, const Probe &probe) {
  std::string bytes;
  Builder<ProbeField> message(bytes);
  add_number(message, ProbeField::kId, probe.id);
  add_text(message, ProbeField::kProvider, probe.provider);
  add_text(message, ProbeField::kModule, probe.module);
  add_text(message, ProbeField::kFunction, probe.function);
  add_text(message, ProbeField::kName, probe.name);
  add_text(message, ProbeField::kShownFunction, probe.shown_function);
  add_text(message, ProbeField::kArgumentsError, probe.arguments_error);
  for (const Argument &argument : probe.arguments) append_argument(message, argument);
  add_number(message, ProbeField::kSet, probe.leaves);
  Builder<DefinitionsField>(to).add_message(DefinitionsField::kProbe, bytes);
}

void append_definition(std::string &to, const Name &name) {
  std::string bytes;
  Builder<NameField> message(bytes);
  add_number(message, NameField::kKind, static_cast<uint64_t>(name.kind));
  add_number(message, NameField::kFlag, name.flag ? 1 : 0);
  if (name.pid != 0) message.add_sint32(NameField::kPid, name.pid);
  add_number(message, NameField::kImage, name.image);
  if (name.address != 0) message.add_fixed64(NameField::kAddress, name.address);
  for (const std::string &text : name.texts) message.add_bytes(NameField::kText, text);  // by position: also empty ones
  Builder<DefinitionsField>(to).add_message(DefinitionsField::kName, bytes);
}

void append_definition(std::string &to, const Description &description) {
  std::string bytes;
  Builder<DescriptionField> message(bytes);
  add_text(message, DescriptionField::kProvider, description.provider);
  add_text(message, DescriptionField::kModule, description.module);
  add_text(message, DescriptionField::kFunction, description.function);
  add_text(message, DescriptionField::kName, description.name);
  message.add_packed_uint32(DescriptionField::kProbes, description.probes.begin(), description.probes.end());
  Builder<DefinitionsField>(to).add_message(DefinitionsField::kDescription, bytes);
}

void append_definition(std::string &to, const Symbol &symbol) {
  std::string bytes;
  Builder<SymbolField> message(bytes);
  add_text(message, SymbolField::kModule, symbol.module);
  add_text(message, SymbolField::kName, symbol.name);
  add_text(message, SymbolField::kType, symbol.type);
  if (symbol.address != 0) message.add_fixed64(SymbolField::kAddress, symbol.address);
  if (symbol.cpu_offsets != 0) message.add_fixed64(SymbolField::kCpuOffsets, symbol.cpu_offsets);
  add_number(message, SymbolField::kFunction, symbol.is_function ? 1 : 0);
  Builder<DefinitionsField>(to).add_message(DefinitionsField::kSymbol, bytes);
}

void append_definition(std::string &to, const Loss &loss) {
  std::string bytes;
  Builder<LossField> message(bytes);
  add_text(message, LossField::kCause, loss.cause);
  add_text(message, LossField::kWhere, loss.where);
  add_number(message, LossField::kCount, loss.count);
  Builder<DefinitionsField>(to).add_message(DefinitionsField::kLoss, bytes);
}

std::string blob_payload(const Blob &blob) {
  std::string payload;
  payload.reserve(blob.name.size() + blob.bytes.size() + 32);
  Builder<BlobField> message(payload);
  add_text(message, BlobField::kName, blob.name);
  add_text(message, BlobField::kBytes, blob.bytes);
  return payload;
}

}  // namespace dtrace::recording
