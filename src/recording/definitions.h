// SPDX-License-Identifier: Apache-2.0
// Definitions as bytes, and back. All of a recording's definitions are in memory while it is read: their memory is
// bounded by kMaxDefinitionMemoryBytes.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "recording/model.h"

namespace dtrace::recording {

// Each appends one field to the payload of a block of definitions.
void append_definition(std::string &to, const Fact &fact);
void append_definition(std::string &to, const Leaf &leaf);
void append_definition(std::string &to, const LeafSet &set);
void append_definition(std::string &to, const Probe &probe);
void append_definition(std::string &to, const Name &name);
void append_definition(std::string &to, const Description &description);
void append_definition(std::string &to, const Symbol &symbol);
void append_definition(std::string &to, const Loss &loss);

/// The payload of a block of its own.
std::string blob_payload(const Blob &blob);

struct Definitions {
  std::vector<Fact> facts;
  std::vector<Blob> blobs;
  std::vector<Leaf> leaves;   // by id - 1
  std::vector<LeafSet> sets;  // by id - 1
  std::vector<Probe> probes;  // in order of definition
  std::vector<Name> names;
  std::vector<Description> descriptions;
  std::vector<Symbol> symbols;
  std::vector<Loss> losses;
  std::unordered_map<uint32_t, uint32_t> probe_positions;  // in `probes`, by id
  uint64_t memory_bytes = 0, max_memory_bytes = 0;

  /// Null: there is none.
  const Probe *probe(uint32_t id) const;
};

// Add what a payload defines. Errors: it is damaged; an ID is defined twice, or named and not defined; there are too
// many definitions.
Result<Unit> read_definitions(std::string_view payload, Definitions &into);
Result<Unit> read_blob(std::string_view payload, Definitions &into);

}  // namespace dtrace::recording
