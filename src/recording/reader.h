// SPDX-License-Identifier: Apache-2.0
// Reads a recording that anybody may have written: no bytes lead to a crash, to reading elsewhere or to memory that the
// file does not justify. A file that was cut is read up to the cut.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "recording/model.h"

namespace dtrace::recording {

/// Where the bytes are: a file, or a test's.
class Bytes {
 public:
  virtual ~Bytes() = default;
  virtual uint64_t size() const = 0;
  /// As many of the bytes from `offset` on as there are, at most `to.size()`. Errors: the system's.
  virtual Result<size_t> read(uint64_t offset, std::span<char> to) = 0;
};

/// Errors: the system's; it is no regular file.
Result<std::unique_ptr<Bytes>> open_file(const std::string &path);

class Reader {
 public:
  /// Looks through the whole file, without the rows. Errors: it is no recording; its version is newer than this reader
  /// knows; a definition is damaged (which, and at what offset).
  static Result<std::unique_ptr<Reader>> open(std::unique_ptr<Bytes> bytes);
  ~Reader();

  const std::vector<Fact> &facts() const;
  const std::string *fact(std::string_view name) const;  ///< the last one of the name; null: there is none
  const std::vector<Blob> &blobs() const;
  const std::vector<Leaf> &leaves() const;   ///< by id - 1
  const std::vector<LeafSet> &sets() const;  ///< by id - 1
  const std::vector<Probe> &probes() const;  ///< in order of definition
  const Probe *probe(uint32_t id) const;     ///< null: there is none
  const std::vector<Name> &names() const;
  const std::vector<Description> &descriptions() const;
  const std::vector<Symbol> &symbols() const;
  const std::vector<Loss> &losses() const;

  uint64_t nr_rows() const;
  std::optional<uint64_t> first_ns() const, last_ns() const;  ///< of rows; nothing: there are none
  /// Why the file ends before its end, in a sentence; empty: it does not.
  const std::string &cut() const;

  /// The next row of the recording in order of time, CPUs by number where times are equal. It is valid until the next
  /// call or seek(). Nothing: there are no more. Rows of one CPU are never reordered, also where one is earlier than
  /// the one before it. Errors: a block is damaged; the rows before it have been given, and the error stays until
  /// seek().
  Result<std::optional<Row>> next();
  /// Goes to the first row at `time_ns` or later.
  void seek(uint64_t time_ns);

 private:
  Reader();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dtrace::recording
