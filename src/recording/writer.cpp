// SPDX-License-Identifier: Apache-2.0
#include "recording/writer.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/number_table.h"
#include "recording/definitions.h"
#include "recording/fields.h"
#include "recording/packing.h"
#include "recording/pending_rows.h"
#include "recording/row_encoder.h"

namespace dtrace::recording {
namespace {

// A block ends at the first of these. Pending rows take about twice what their columns do.
constexpr uint32_t kRowsOfBlock = 16 << 10;
constexpr size_t kPendingBytes = 256 << 10;
constexpr size_t kDefinitionBytes = 128 << 10;
constexpr size_t kMaxRowBytes = kMaxRowBlockBytes / 2;

}  // namespace

struct Writer::Impl {
  explicit Impl(Put put) : put(std::move(put)) {}

  void write(std::string_view bytes) {
    if (failure) return;
    if (Result<Unit> done = put(bytes); !done)
      failure = std::move(done).error();
    else
      nr_bytes += bytes.size();
  }

  void fail(Error error) {
    if (!failure) failure = std::move(error);
  }

  void write_block(const BlockHead &head, std::string_view payload) {
    if (failure) return;
    const Result<std::string_view> block = packer.pack(head, payload);
    if (!block) return fail(block.error());
    write(*block);
    ++nr_blocks;
  }

  void write_block(BlockKind kind, std::string_view payload) {
    write_block({.kind = static_cast<uint16_t>(kind)}, payload);
  }

  template <typename T>
  void define(const T &definition) {
    append_definition(definitions, definition);
    if (definitions.size() > kMaxDefinitionBlockBytes) fail(Error("a definition is too large for a recording"));
    if (definitions.size() >= kDefinitionBytes) write_definitions();
  }

  void write_definitions() {
    if (definitions.empty()) return;
    write_block(BlockKind::kDefinitions, definitions);
    definitions.clear();
  }

  void write_rows(uint32_t cpu, PendingRows &rows) {
    if (rows.nr_rows() == 0) return;
    write_definitions();
    if (!failure)
      write_block({.kind = static_cast<uint16_t>(BlockKind::kRows),
                   .cpu = cpu,
                   .nr_rows = rows.nr_rows(),
                   .first_ns = rows.first_ns(),
                   .last_ns = rows.last_ns()},
                  encoder.encode(rows));
    rows.clear();
  }

  void flush() {
    write_definitions();
    std::vector<std::pair<uint32_t, PendingRows *>> all;
    open.for_each([&](uint32_t cpu, PendingRows &rows) { all.emplace_back(cpu, &rows); });
    std::ranges::sort(all);
    for (const auto &[cpu, rows] : all) {
      write_rows(cpu, *rows);
      rows->free();  // a CPU that was busy may be idle from now on
    }
  }

  Put put;
  Packer packer;
  std::string definitions;  // not yet written
  RowEncoder encoder;
  NumberTable<uint32_t> slots;    // of the encoder, by a probe's ID
  NumberTable<PendingRows> open;  // by CPU
  std::optional<Error> failure;
  uint64_t nr_rows = 0, nr_bytes = 0, nr_blocks = 0;
};

Writer::Writer(Put put) : impl_(std::make_unique<Impl>(std::move(put))) {
  const FileHead head = file_head();
  impl_->write({head.data(), head.size()});
}

Writer::~Writer() = default;

void Writer::define(const Fact &fact) { impl_->define(fact); }
void Writer::define(const Leaf &leaf) { impl_->define(leaf); }
void Writer::define(const Name &name) { impl_->define(name); }
void Writer::define(const Description &description) { impl_->define(description); }
void Writer::define(const Symbol &symbol) { impl_->define(symbol); }
void Writer::lose(const Loss &loss) { impl_->define(loss); }

Result<PackedBlob> PackedBlob::of(const Blob &blob) {
  if (blob.name.size() + blob.bytes.size() > kMaxBlobBlockBytes - 64)
    return Error(blob.name + " is too large for a recording");
  Packer packer;
  const Result<std::string_view> block =
      packer.pack({.kind = static_cast<uint16_t>(BlockKind::kBlob)}, blob_payload(blob));
  if (!block) return block.error();
  PackedBlob packed;
  packed.block_ = *block;
  return packed;
}

void Writer::define(const Blob &blob) {
  const Result<PackedBlob> packed = PackedBlob::of(blob);
  if (!packed) return impl_->fail(packed.error());
  define(*packed);
}

void Writer::define(const PackedBlob &blob) {
  impl_->write_definitions();
  if (impl_->failure) return;
  impl_->write(blob.block_);
  ++impl_->nr_blocks;
}

void Writer::define(const LeafSet &set) {
  if (set.leaves.size() > kMaxCells) return impl_->fail(Error("a probe has too many expressions for a recording"));
  if (!impl_->encoder.define_set(set.id, set.leaves.size()))
    return impl_->fail(Error("the ID of a set of expressions is not the next one"));
  impl_->define(set);
}

void Writer::define(const Probe &probe) {
  const std::optional<uint32_t> slot = impl_->encoder.define_probe(probe.id, probe.leaves);
  if (!slot) return impl_->fail(Error("a probe's expressions are not defined in the recording"));
  impl_->slots.try_emplace(probe.id, *slot);
  impl_->define(probe);
}

void Writer::add(const Row &row) {
  if (impl_->failure) return;
  const uint32_t *const slot = impl_->slots.find(row.probe);
  if (slot == nullptr || impl_->encoder.nr_cells(*slot) != row.cells.size())
    return impl_->fail(Error("a row is not as its probe is defined in the recording"));
  PendingRows &rows = *impl_->open.try_emplace(row.cpu).first;
  if (!rows.add(row, *slot, kMaxRowBytes)) return impl_->fail(Error("a row is too large for a recording"));
  ++impl_->nr_rows;
  if (rows.nr_rows() >= kRowsOfBlock || rows.size_bytes() >= kPendingBytes) impl_->write_rows(row.cpu, rows);
}

void Writer::flush() { impl_->flush(); }

Result<Unit> Writer::finish() {
  flush();
  std::string payload;
  {
    Builder<EndField> end(payload);
    end.add_uint64(EndField::kRows, impl_->nr_rows);
    end.add_uint64(EndField::kBlocks, impl_->nr_blocks);
  }
  impl_->write_block(BlockKind::kEnd, payload);
  if (impl_->failure) return *impl_->failure;
  return ok();
}

const std::optional<Error> &Writer::failure() const { return impl_->failure; }
uint64_t Writer::nr_rows() const { return impl_->nr_rows; }
uint64_t Writer::nr_bytes() const { return impl_->nr_bytes; }

}  // namespace dtrace::recording
