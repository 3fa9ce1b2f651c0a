// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>

#include "recording/definitions.h"
#include "recording/fields.h"
#include "recording/format.h"
#include "recording/message.h"

namespace dtrace::recording {
namespace {

// What an entry of a hash table takes beside its value.
constexpr uint64_t kTableEntryBytes = 48;

/// Counts what a definition takes, before more of the payload is read.
void count(Definitions &all, uint64_t bytes) {
  all.memory_bytes += bytes;
  if (all.memory_bytes > all.max_memory_bytes)
    throw Damaged("the definitions take too much memory for a file of this size");
}

// A text of 15 bytes or less lies in its object.
void take(Definitions &all, std::string &to, std::string_view bytes) {
  count(all, bytes.size());
  to = bytes;
}

Fact read_fact(Message<FactField> message, Definitions &all) {
  Fact fact;
  while (message.next()) switch (message.tag_and_type()) {
      case bytes_of(FactField::kName):
        take(all, fact.name, take_bytes(message));
        break;
      case bytes_of(FactField::kText):
        take(all, fact.text, take_bytes(message));
        break;
      default:
        message.skip();
    }
  return fact;
}

Leaf read_leaf(Message<LeafField> message, Definitions &all) {
  Leaf leaf;
  while (message.next()) switch (message.tag_and_type()) {
      case number_of(LeafField::kId):
        leaf.id = take_number<uint32_t>(message);
        break;
      case bytes_of(LeafField::kIdentity):
        take(all, leaf.identity, take_bytes(message));
        break;
      case bytes_of(LeafField::kLabel):
        take(all, leaf.label, take_bytes(message));
        break;
      case bytes_of(LeafField::kType):
        take(all, leaf.type, take_bytes(message));
        break;
      default:
        message.skip();
    }
  if (leaf.id != all.leaves.size() + 1) throw Damaged("the ID of a leaf is not the next one");
  return leaf;
}

LeafSet read_set(Message<SetField> message, Definitions &all) {
  LeafSet set;
  while (message.next()) switch (message.tag_and_type()) {
      case number_of(SetField::kId):
        set.id = take_number<uint32_t>(message);
        break;
      case bytes_of(SetField::kLeaves): {
        Cursor leaves = cursor_of(take_bytes(message));
        while (!leaves.is_at_end()) {
          const auto leaf = take_packed<uint32_t>(leaves);
          if (leaf == 0 || leaf > all.leaves.size()) throw Damaged("a set names a leaf that is not defined");
          if (set.leaves.size() == kMaxCells) throw Damaged("a set has too many leaves");
          set.leaves.push_back(leaf);
        }
        break;
      }
      default:
        message.skip();
    }
  count(all, set.leaves.capacity() * sizeof set.leaves[0]);
  if (set.id != all.sets.size() + 1) throw Damaged("the ID of a set of leaves is not the next one");
  return set;
}

Argument read_argument(Message<ArgumentField> message, Definitions &all) {
  Argument argument;
  while (message.next()) switch (message.tag_and_type()) {
      case bytes_of(ArgumentField::kNative):
        take(all, argument.native, take_bytes(message));
        break;
      case bytes_of(ArgumentField::kTranslated):
        take(all, argument.translated, take_bytes(message));
        break;
      case bytes_of(ArgumentField::kUndefined):
        take(all, argument.undefined, take_bytes(message));
        break;
      case bytes_of(ArgumentField::kMissing):
        take(all, argument.missing, take_bytes(message));
        break;
      case bytes_of(ArgumentField::kName):
        take(all, argument.name, take_bytes(message));
        break;
      case number_of(ArgumentField::kSource):
        argument.source = take_number<uint32_t>(message);
        break;
      case number_of(ArgumentField::kPlace):
        argument.place = take_number<uint8_t>(message);
        break;
      case number_of(ArgumentField::kSpace):
        argument.space = take_number<uint8_t>(message);
        break;
      default:
        message.skip();
    }
  return argument;
}

Probe read_probe(Message<ProbeField> message, Definitions &all) {
  Probe probe;
  while (message.next()) switch (message.tag_and_type()) {
      case number_of(ProbeField::kId):
        probe.id = take_number<uint32_t>(message);
        break;
      case bytes_of(ProbeField::kProvider):
        take(all, probe.provider, take_bytes(message));
        break;
      case bytes_of(ProbeField::kModule):
        take(all, probe.module, take_bytes(message));
        break;
      case bytes_of(ProbeField::kFunction):
        take(all, probe.function, take_bytes(message));
        break;
      case bytes_of(ProbeField::kName):
        take(all, probe.name, take_bytes(message));
        break;
      case bytes_of(ProbeField::kShownFunction):
        take(all, probe.shown_function, take_bytes(message));
        break;
      case bytes_of(ProbeField::kArgumentsError):
        take(all, probe.arguments_error, take_bytes(message));
        break;
      case bytes_of(ProbeField::kArgument):
        count(all, sizeof(Argument));
        probe.arguments.push_back(read_argument(Message<ArgumentField>(message.get_view()), all));
        break;
      case number_of(ProbeField::kSet):
        probe.leaves = take_number<uint32_t>(message);
        break;
      default:
        message.skip();
    }
  if (probe.id == 0) throw Damaged("a probe has no ID");
  if (probe.leaves > all.sets.size()) throw Damaged("a probe names a set of leaves that is not defined");
  return probe;
}

/// Nothing: of a kind that a later version has.
std::optional<Name> read_name(Message<NameField> message, Definitions &all) {
  Name name;
  uint32_t kind = 0;
  while (message.next()) switch (message.tag_and_type()) {
      case number_of(NameField::kKind):
        kind = take_number<uint32_t>(message);
        break;
      case number_of(NameField::kFlag):
        name.flag = message.get_uint64() != 0;
        break;
      case number_of(NameField::kPid):
        name.pid = message.get_sint32();
        break;
      case number_of(NameField::kImage):
        name.image = take_number<uint32_t>(message);
        break;
      case fixed64_of(NameField::kAddress):
        name.address = message.get_fixed64();
        break;
      case bytes_of(NameField::kText): {
        count(all, sizeof(std::string));
        take(all, name.texts.emplace_back(), take_bytes(message));
        break;
      }
      default:
        message.skip();
    }
  if (kind > static_cast<uint32_t>(Name::Kind::kMapping)) return std::nullopt;
  name.kind = static_cast<Name::Kind>(kind);
  return name;
}

Description read_description(Message<DescriptionField> message, Definitions &all) {
  Description description;
  while (message.next()) switch (message.tag_and_type()) {
      case bytes_of(DescriptionField::kProvider):
        take(all, description.provider, take_bytes(message));
        break;
      case bytes_of(DescriptionField::kModule):
        take(all, description.module, take_bytes(message));
        break;
      case bytes_of(DescriptionField::kFunction):
        take(all, description.function, take_bytes(message));
        break;
      case bytes_of(DescriptionField::kName):
        take(all, description.name, take_bytes(message));
        break;
      case bytes_of(DescriptionField::kProbes): {
        Cursor probes = cursor_of(take_bytes(message));
        while (!probes.is_at_end()) {
          count(all, sizeof(uint32_t));
          description.probes.push_back(take_packed<uint32_t>(probes));
        }
        break;
      }
      default:
        message.skip();
    }
  return description;
}

Symbol read_symbol(Message<SymbolField> message, Definitions &all) {
  Symbol symbol;
  while (message.next()) switch (message.tag_and_type()) {
      case bytes_of(SymbolField::kModule):
        take(all, symbol.module, take_bytes(message));
        break;
      case bytes_of(SymbolField::kName):
        take(all, symbol.name, take_bytes(message));
        break;
      case bytes_of(SymbolField::kType):
        take(all, symbol.type, take_bytes(message));
        break;
      case fixed64_of(SymbolField::kAddress):
        symbol.address = message.get_fixed64();
        break;
      case fixed64_of(SymbolField::kCpuOffsets):
        symbol.cpu_offsets = message.get_fixed64();
        break;
      case number_of(SymbolField::kFunction):
        symbol.is_function = message.get_uint64() != 0;
        break;
      default:
        message.skip();
    }
  return symbol;
}

Loss read_loss(Message<LossField> message, Definitions &all) {
  Loss loss;
  while (message.next()) switch (message.tag_and_type()) {
      case bytes_of(LossField::kCause):
        take(all, loss.cause, take_bytes(message));
        break;
      case bytes_of(LossField::kWhere):
        take(all, loss.where, take_bytes(message));
        break;
      case number_of(LossField::kCount):
        loss.count = message.get_uint64();
        break;
      default:
        message.skip();
    }
  return loss;
}

void add_probe(Probe probe, Definitions &all) {
  count(all, sizeof probe + kTableEntryBytes);
  if (!all.probe_positions.try_emplace(probe.id, static_cast<uint32_t>(all.probes.size())).second)
    throw Damaged("a probe is defined twice");
  all.probes.push_back(std::move(probe));
}

void add_name(std::optional<Name> name, Definitions &all) {
  if (!name) return;
  count(all, sizeof *name);
  all.names.push_back(std::move(*name));
}

template <typename T>
void add(std::vector<T> &to, T definition, Definitions &all) {
  count(all, sizeof definition);
  to.push_back(std::move(definition));
}

void read_all(Message<DefinitionsField> message, Definitions &all) {
  using Field = DefinitionsField;
  while (message.next()) switch (message.tag_and_type()) {
      case bytes_of(Field::kFact):
        add(all.facts, read_fact(Message<FactField>(message.get_view()), all), all);
        break;
      case bytes_of(Field::kLeaf):
        add(all.leaves, read_leaf(Message<LeafField>(message.get_view()), all), all);
        break;
      case bytes_of(Field::kSet):
        add(all.sets, read_set(Message<SetField>(message.get_view()), all), all);
        break;
      case bytes_of(Field::kProbe):
        add_probe(read_probe(Message<ProbeField>(message.get_view()), all), all);
        break;
      case bytes_of(Field::kName):
        add_name(read_name(Message<NameField>(message.get_view()), all), all);
        break;
      case bytes_of(Field::kDescription):
        add(all.descriptions, read_description(Message<DescriptionField>(message.get_view()), all), all);
        break;
      case bytes_of(Field::kSymbol):
        add(all.symbols, read_symbol(Message<SymbolField>(message.get_view()), all), all);
        break;
      case bytes_of(Field::kLoss):
        add(all.losses, read_loss(Message<LossField>(message.get_view()), all), all);
        break;
      default:
        message.skip();
    }
}

}  // namespace

const Probe *Definitions::probe(uint32_t id) const {
  const auto found = probe_positions.find(id);
  return found == probe_positions.end() ? nullptr : &probes[found->second];
}

Result<Unit> read_definitions(std::string_view payload, Definitions &into) {
  try {
    read_all(Message<DefinitionsField>(payload.data(), payload.size()), into);
  } catch (const protozero::exception &damage) {
    return Error(damage.what());
  }
  return ok();
}

Result<Unit> read_blob(std::string_view payload, Definitions &into) {
  try {
    Blob blob;
    Message<BlobField> message(payload.data(), payload.size());
    while (message.next()) switch (message.tag_and_type()) {
        case bytes_of(BlobField::kName):
          take(into, blob.name, take_bytes(message));
          break;
        case bytes_of(BlobField::kBytes):
          take(into, blob.bytes, take_bytes(message));
          break;
        default:
          message.skip();
      }
    add(into.blobs, std::move(blob), into);
  } catch (const protozero::exception &damage) {
    return Error(damage.what());
  }
  return ok();
}

}  // namespace dtrace::recording
