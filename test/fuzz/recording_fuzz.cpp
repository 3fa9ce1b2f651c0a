// SPDX-License-Identifier: Apache-2.0
// Recordings that anybody may have written: any bytes are an error or rows, and what was read can be written and read
// again, the same.
//
// Bytes that begin like a recording are one. Checksums keep changes of it from being read far, so any others are blocks
// that get good heads here: kind, CPU, number of rows, first and last time, a byte each; the payload's size, two bytes;
// the payload.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "recording/format.h"
#include "recording/packing.h"
#include "recording/reader.h"
#include "recording/writer.h"

using namespace dtrace;
using namespace dtrace::recording;

namespace {

constexpr size_t kMaxKeptBytes = 1 << 20;  // few bytes can name a long text often

class TextBytes final : public Bytes {
 public:
  explicit TextBytes(std::string text) : text_(std::move(text)) {}
  uint64_t size() const override { return text_.size(); }
  Result<size_t> read(uint64_t offset, std::span<char> to) override {
    return offset > text_.size() ? size_t{0} : text_.copy(to.data(), to.size(), offset);
  }

 private:
  std::string text_;
};

std::string with_heads(std::string_view blocks) {
  const FileHead file = file_head();
  std::string made(file.data(), file.size());
  Packer packer;
  constexpr size_t kHead = 7;
  while (blocks.size() >= kHead) {
    const auto byte = [&](size_t i) { return static_cast<uint8_t>(blocks[i]); };
    const BlockHead head{.kind = byte(0), .cpu = byte(1), .nr_rows = byte(2), .first_ns = byte(3), .last_ns = byte(4)};
    const std::string_view payload = blocks.substr(kHead, byte(5) | byte(6) << 8);
    if (const Result<std::string_view> block = packer.pack(head, payload)) made += *block;
    blocks.remove_prefix(kHead + payload.size());
  }
  return made;
}

void append_row(std::string &to, const Row &row) {
  const auto number = [&](uint64_t value) { to.append(reinterpret_cast<const char *>(&value), sizeof value); };
  for (const uint64_t value : {uint64_t{row.probe}, uint64_t{row.cpu}, row.time_ns, row.thread}) number(value);
  for (const Cell &cell : row.cells) {
    number(static_cast<uint64_t>(cell.kind) << 8 | cell.fault);
    number(cell.number);
    number(cell.bytes.size());
    to += cell.bytes;
  }
}

struct Seen {
  std::string rows;
  bool is_all = false;  // no error, and not too much
};

Seen see_rows(Reader &reader, Writer *copy) {
  Seen seen;
  while (seen.rows.size() < kMaxKeptBytes) {
    const Result<std::optional<Row>> row = reader.next();
    if (!row) return seen;
    if (!*row) {
      seen.is_all = true;
      return seen;
    }
    append_row(seen.rows, **row);
    if (copy != nullptr) copy->add(**row);
  }
  return seen;
}

template <typename T>
void define_all(Writer &writer, const std::vector<T> &all) {
  for (const T &each : all) writer.define(each);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view input(reinterpret_cast<const char *>(data), size);
  auto opened =
      Reader::open(std::make_unique<TextBytes>(input.starts_with("\x89") ? std::string(input) : with_heads(input)));
  if (!opened) return 0;
  Reader &reader = **opened;
  std::string copied;
  Writer copy([&](std::string_view bytes) {
    copied += bytes;
    return ok();
  });
  define_all(copy, reader.facts());
  define_all(copy, reader.blobs());
  define_all(copy, reader.leaves());
  define_all(copy, reader.sets());
  define_all(copy, reader.probes());
  define_all(copy, reader.names());
  for (const Loss &loss : reader.losses()) copy.lose(loss);
  const Seen seen = see_rows(reader, &copy);
  reader.seek(reader.first_ns().value_or(0) / 2 + reader.last_ns().value_or(0) / 2);
  (void)see_rows(reader, nullptr);

  if (!seen.is_all || !copy.finish()) return 0;
  auto again = Reader::open(std::make_unique<TextBytes>(copied));
  if (!again || !(*again)->cut().empty()) std::abort();
  const Seen other = see_rows(**again, nullptr);
  if (!other.is_all || other.rows != seen.rows || (*again)->names().size() != reader.names().size()) std::abort();
  return 0;
}
