// SPDX-License-Identifier: Apache-2.0
#include "recording/reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "recording/contents.h"
#include "recording/row_block.h"

namespace dtrace::recording {
namespace {

// Decoded blocks whose memory is used again.
constexpr size_t kMaxSpareBlocks = 4;

/// The rows of one CPU. The key by which CPUs are merged is the greatest time until now, so that a row which is earlier
/// than the one before it stays behind it.
struct Cpu {
  uint32_t number = 0;
  const std::vector<IndexEntry> *entries = nullptr;
  size_t next_entry = 0;
  std::unique_ptr<RowBlock> block = nullptr;  // null: the next one is not decoded yet
  uint64_t block_offset = 0;
  uint64_t block_bytes = 0;  // of memory
  uint64_t key_ns = 0;       // of the next row; while `block` is null no later than that
  uint64_t start_ns = 0;     // rows before the first one at this time or later are left out
};

bool comes_later(const Cpu *one, const Cpu *other) {
  return one->key_ns != other->key_ns ? one->key_ns > other->key_ns : one->number > other->number;
}

}  // namespace

struct Reader::Impl {
  Result<std::optional<Row>> next() {
    if (failure) return *failure;
    if (is_first_given) {
      is_first_given = false;
      if (Result<Unit> done = advance(); !done) return fail(std::move(done).error());
    }
    while (!queue.empty() && queue.front()->block == nullptr)
      if (Result<Unit> done = open_block(); !done) return fail(std::move(done).error());
    if (queue.empty()) return std::optional<Row>();
    Cpu &cpu = *queue.front();
    Row row;
    if (!cpu.block->read(row, cells)) return fail(damage_of(cpu));
    is_first_given = true;
    return std::optional<Row>(row);
  }

  void seek(uint64_t time_ns) {
    failure.reset();
    is_first_given = false;
    queue.clear();
    for (Cpu &cpu : cpus) {
      close_block(cpu);
      const auto &entries = *cpu.entries;
      const auto entry =
          std::ranges::partition_point(entries, [&](const IndexEntry &each) { return each.reached_ns < time_ns; });
      if (entry == entries.end()) continue;
      cpu.next_entry = static_cast<size_t>(entry - entries.begin());
      cpu.start_ns = time_ns;
      cpu.key_ns = std::max(time_ns, entry->first_ns);
      queue.push_back(&cpu);
    }
    std::ranges::make_heap(queue, comes_later);
  }

  Error fail(Error error) {
    failure = error;
    return error;
  }

  static Error damage_of(const Cpu &cpu) {
    return Error(fmt::format("the block at offset {} is damaged: {}", cpu.block_offset, cpu.block->failure()));
  }

  /// Leaves the row that was given.
  Result<Unit> advance() {
    Cpu &cpu = *queue.front();
    if (cpu.block->advance()) {
      cpu.key_ns = std::max(cpu.key_ns, cpu.block->time_ns());
      sift_front();
      return ok();
    }
    if (cpu.block->failure() != nullptr) return damage_of(cpu);
    end_block(cpu);
    return ok();
  }

  /// The block has no more rows: the next one will be opened when it is its turn.
  void end_block(Cpu &cpu) {
    close_block(cpu);
    if (cpu.next_entry == cpu.entries->size()) {
      std::ranges::pop_heap(queue, comes_later);
      queue.pop_back();
      return;
    }
    cpu.key_ns = std::max(cpu.key_ns, (*cpu.entries)[cpu.next_entry].first_ns);
    sift_front();
  }

  /// Decodes the block of the CPU that may be the next.
  Result<Unit> open_block() {
    Cpu &cpu = *queue.front();
    const IndexEntry &entry = (*cpu.entries)[cpu.next_entry++];
    if (spare.empty()) {
      cpu.block = std::make_unique<RowBlock>();
    } else {
      cpu.block = std::move(spare.back());
      spare.pop_back();
    }
    cpu.block_offset = entry.offset;
    const Result<BlockHead> head =
        read_block(*bytes, unpacker, entry.offset, entry.packed_bytes, packed, cpu.block->payload());
    if (!head) return head.error();
    if (Result<Unit> done = cpu.block->load(*head, contents.definitions); !done)
      return std::move(done).error().during(fmt::format("the block at offset {} is damaged", entry.offset));
    cpu.block_bytes = cpu.block->memory_bytes();
    open_bytes += cpu.block_bytes;
    if (open_bytes > max_memory_bytes(bytes->size()))
      return Error(fmt::format(
          "the block at offset {} and those of other CPUs at this time take too much memory for a file of this size",
          entry.offset));
    return find_first(cpu);
  }

  /// Goes to the first row that is asked for.
  Result<Unit> find_first(Cpu &cpu) {
    Row row;
    while (cpu.block->advance()) {
      if (cpu.block->time_ns() >= cpu.start_ns) {
        cpu.start_ns = 0;
        cpu.key_ns = std::max(cpu.key_ns, cpu.block->time_ns());
        sift_front();
        return ok();
      }
      if (!cpu.block->read(row, cells)) return damage_of(cpu);
    }
    if (cpu.block->failure() != nullptr) return damage_of(cpu);
    end_block(cpu);
    return ok();
  }

  void close_block(Cpu &cpu) {
    if (cpu.block == nullptr) return;
    open_bytes -= cpu.block_bytes;
    cpu.block_bytes = 0;
    if (spare.size() < kMaxSpareBlocks && cpu.block->payload().capacity() <= kMaxSpareBytes)
      spare.push_back(std::move(cpu.block));
    cpu.block.reset();
  }

  /// Puts the first of the queue where its key belongs now.
  void sift_front() {
    Cpu *const cpu = queue.front();
    size_t hole = 0;
    for (size_t child = 1; child < queue.size(); child = 2 * hole + 1) {
      if (child + 1 < queue.size() && comes_later(queue[child], queue[child + 1])) ++child;
      if (!comes_later(cpu, queue[child])) break;
      queue[hole] = queue[child];
      hole = child;
    }
    queue[hole] = cpu;
  }

  static constexpr size_t kMaxSpareBytes = 1 << 20;

  std::unique_ptr<Bytes> bytes;
  Unpacker unpacker;
  Contents contents;
  std::vector<Cpu> cpus;
  std::vector<Cpu *> queue;  // a heap, the next one first
  std::vector<std::unique_ptr<RowBlock>> spare;
  std::vector<Cell> cells;  // of the row that was given
  std::string packed;
  uint64_t open_bytes = 0;
  bool is_first_given = false;  // the first of the queue stands at the row that was given
  std::optional<Error> failure;
};

Reader::Reader() : impl_(std::make_unique<Impl>()) {}
Reader::~Reader() = default;

Result<std::unique_ptr<Reader>> Reader::open(std::unique_ptr<Bytes> bytes) {
  std::unique_ptr<Reader> reader(new Reader);
  Impl &impl = *reader->impl_;
  impl.bytes = std::move(bytes);
  Result<Contents> contents = walk(*impl.bytes, impl.unpacker);
  if (!contents) return std::move(contents).error();
  impl.contents = std::move(*contents);
  for (const auto &[number, entries] : impl.contents.rows) impl.cpus.push_back({.number = number, .entries = &entries});
  impl.seek(0);
  return reader;
}

const std::vector<Fact> &Reader::facts() const { return impl_->contents.definitions.facts; }
const std::vector<Blob> &Reader::blobs() const { return impl_->contents.definitions.blobs; }
const std::vector<Leaf> &Reader::leaves() const { return impl_->contents.definitions.leaves; }
const std::vector<LeafSet> &Reader::sets() const { return impl_->contents.definitions.sets; }
const std::vector<Probe> &Reader::probes() const { return impl_->contents.definitions.probes; }
const Probe *Reader::probe(uint32_t id) const { return impl_->contents.definitions.probe(id); }
const std::vector<Name> &Reader::names() const { return impl_->contents.definitions.names; }
const std::vector<Description> &Reader::descriptions() const { return impl_->contents.definitions.descriptions; }
const std::vector<Symbol> &Reader::symbols() const { return impl_->contents.definitions.symbols; }
const std::vector<Loss> &Reader::losses() const { return impl_->contents.definitions.losses; }

const std::string *Reader::fact(std::string_view name) const {
  const std::vector<Fact> &all = facts();
  // The last one holds: it says what the run knew later.
  const auto found = std::find_if(all.rbegin(), all.rend(), [&](const Fact &fact) { return fact.name == name; });
  return found == all.rend() ? nullptr : &found->text;
}

uint64_t Reader::nr_rows() const { return impl_->contents.nr_rows; }
std::optional<uint64_t> Reader::first_ns() const { return impl_->contents.first_ns; }
std::optional<uint64_t> Reader::last_ns() const { return impl_->contents.last_ns; }
const std::string &Reader::cut() const { return impl_->contents.cut; }

Result<std::optional<Row>> Reader::next() { return impl_->next(); }
void Reader::seek(uint64_t time_ns) { impl_->seek(time_ns); }

}  // namespace dtrace::recording
