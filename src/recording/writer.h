// SPDX-License-Identifier: Apache-2.0
// Writes a recording to a stream of bytes: definitions as they become known, rows in blocks of one CPU each. Memory is
// bounded by the open blocks, whatever the length of the run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "recording/model.h"

namespace dtrace::recording {

/// A blob as several recordings have it: compressing it takes longer than a writer may pause.
class PackedBlob {
 public:
  /// Errors: it is too large; memory.
  static Result<PackedBlob> of(const Blob &blob);

 private:
  friend class Writer;
  std::string block_;
};

class Writer {
 public:
  /// Takes bytes that follow those of the call before. Errors: the system's; the writer then writes nothing more.
  using Put = std::function<Result<Unit>(std::string_view bytes)>;
  explicit Writer(Put put);
  ~Writer();  // does not finish()
  Writer(const Writer &) = delete;
  Writer &operator=(const Writer &) = delete;

  // Definitions stand in the file before the rows that need them, in the order of the calls.
  void define(const Fact &fact);
  void define(const Blob &blob);
  void define(const PackedBlob &blob);
  void define(const Leaf &leaf);
  void define(const LeafSet &set);
  void define(const Probe &probe);
  void define(const Name &name);
  void define(const Description &description);
  void define(const Symbol &symbol);
  void lose(const Loss &loss);

  /// Rows of a CPU come in the order in which they fired. The probe and its set have been defined, and there are as
  /// many cells as the set has leaves.
  void add(const Row &row);
  /// All open blocks go out. Rows since the last time are safe then, if what is put is.
  void flush();
  /// The end, with the totals; nothing is added after it. Errors: the first of `put`, from any call before.
  Result<Unit> finish();

  const std::optional<Error> &failure() const;
  uint64_t nr_rows() const;
  uint64_t nr_bytes() const;  ///< put until now

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dtrace::recording
