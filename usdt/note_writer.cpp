// SPDX-License-Identifier: Apache-2.0
// .note.dtrace, written field by field into a sink. Lengths come first in every record, so a counting sink measures
// them.
#include <fmt/format.h>

#include <limits>

#include "usdt/byte_writer.h"
#include "usdt/note_dtrace.h"

namespace dtrace::usdt {
namespace {

static_assert(static_cast<int>(Stability::kInternal) == 0 && static_cast<int>(Stability::kStandard) == 7,
              "the note holds these numbers");
static_assert(static_cast<int>(DependencyClass::kUnknown) == 0 && static_cast<int>(DependencyClass::kCommon) == 5,
              "the note holds these numbers");

constexpr size_t kMaxRecordBytes = std::numeric_limits<uint16_t>::max();

/// Only counts.
class Counter : public NoteSink {
 public:
  void u8(uint8_t) override { size_ += 1; }
  void u16(uint16_t) override { size_ += 2; }
  void u32(uint32_t) override { size_ += 4; }
  void string(std::string_view text) override { size_ += text.size() + 1; }
  void bytes(std::string_view raw) override { size_ += raw.size(); }
  size_t size_bytes() const { return size_; }

 private:
  size_t size_ = 0;
};

void write_probe(const Probe &probe, NoteSink &sink) {
  sink.u16(probe.is_translated ? kProbeIsTranslated : 0);
  sink.u16(static_cast<uint16_t>(probe.native.size()));
  sink.u16(static_cast<uint16_t>(probe.translated.size()));
  sink.string(probe.name);
  for (const Argument &argument : probe.native) {
    sink.string(argument.type);
    sink.string(argument.name);
  }
  for (const TranslatedArgument &argument : probe.translated) {
    sink.string(argument.type);
    sink.string(argument.name);
    sink.u16(argument.native);
  }
}

size_t probe_bytes(const Probe &probe) {
  Counter counter;
  write_probe(probe, counter);
  return counter.size_bytes();
}

void write_record_head(RecordKind kind, size_t length_bytes, NoteSink &sink) {
  sink.u16(static_cast<uint16_t>(kind));
  sink.u16(static_cast<uint16_t>(length_bytes));
}

void write_attributes(const ProviderAttributes &all, NoteSink &sink) {
  for (const Attributes &part : {all.provider, all.module, all.function, all.name, all.args}) {
    sink.u8(static_cast<uint8_t>(part.name));
    sink.u8(static_cast<uint8_t>(part.data));
    sink.u8(static_cast<uint8_t>(part.dependency));
  }
  sink.u8(0);
}

void write_descriptor(const Provider &provider, NoteSink &sink) {
  sink.u16(kNoteVersion);
  sink.u16(0);
  write_attributes(provider.attributes, sink);
  sink.string(provider.name);
  for (const Probe &probe : provider.probes) {
    write_record_head(RecordKind::kProbe, probe_bytes(probe), sink);
    write_probe(probe, sink);
  }
  for (const std::string &definition : provider.definitions) {
    if (definition.size() + 1 > kMaxRecordBytes) continue;
    write_record_head(RecordKind::kDefinition, definition.size() + 1, sink);
    sink.string(definition);
  }
}

/// FNV-1a, 64 bits.
uint64_t content_hash(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325U;
  for (char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return hash;
}

}  // namespace

void write_provider_note(const Provider &provider, NoteSink &sink) {
  Counter counter;
  write_descriptor(provider, counter);
  sink.u32(static_cast<uint32_t>(kNoteName.size()));
  sink.u32(static_cast<uint32_t>(counter.size_bytes()));
  sink.u32(static_cast<uint32_t>(NoteType::kProvider));
  sink.bytes(kNoteName);
  sink.u8(0);
  write_descriptor(provider, sink);
  for (size_t at = counter.size_bytes(); at % 4 != 0; ++at) sink.u8(0);
}

std::string_view first_oversized_probe(const Provider &provider) {
  for (const Probe &probe : provider.probes)
    if (probe_bytes(probe) > kMaxRecordBytes) return probe.name;
  return {};
}

std::string note_signature(const Provider &provider) {
  ByteWriter bytes;  // little-endian whatever the target: the name must not depend on it
  write_provider_note(provider, bytes);
  return fmt::format("__usdt_note_{:016x}", content_hash(bytes.data()));
}

}  // namespace dtrace::usdt
