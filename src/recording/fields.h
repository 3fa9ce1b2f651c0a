// SPDX-License-Identifier: Apache-2.0
// Field numbers of the protocol buffers that payloads are. doc/recording-format.md has them as a .proto file. Numbers
// are never used again for something else.
#pragma once

#include <cstdint>
#include <protozero/pbf_builder.hpp>

namespace dtrace::recording {

// protozero leaves out a message within another to which nothing was added: where it may be empty, build it by itself.
template <typename Field>
using Builder = protozero::pbf_builder<Field>;

enum class DefinitionsField : protozero::pbf_tag_type {
  kFact = 1,
  kLeaf = 2,
  kSet = 3,
  kProbe = 4,
  kName = 5,
  kLoss = 6,
  kDescription = 7,
  kSymbol = 8
};
enum class FactField : protozero::pbf_tag_type { kName = 1, kText = 2 };
enum class DescriptionField : protozero::pbf_tag_type {
  kProvider = 1,
  kModule = 2,
  kFunction = 3,
  kName = 4,
  kProbes = 5
};
enum class SymbolField : protozero::pbf_tag_type {
  kModule = 1,
  kName = 2,
  kType = 3,
  kAddress = 4,
  kCpuOffsets = 5,
  kFunction = 6
};
enum class BlobField : protozero::pbf_tag_type { kName = 1, kBytes = 2 };
enum class LeafField : protozero::pbf_tag_type { kId = 1, kIdentity = 2, kLabel = 3, kType = 4 };
enum class SetField : protozero::pbf_tag_type { kId = 1, kLeaves = 2 };
enum class ProbeField : protozero::pbf_tag_type {
  kId = 1,
  kProvider = 2,
  kModule = 3,
  kFunction = 4,
  kName = 5,
  kShownFunction = 6,
  kArgumentsError = 7,
  kArgument = 8,
  kSet = 9,
};
enum class ArgumentField : protozero::pbf_tag_type {
  kNative = 1,
  kTranslated = 2,
  kUndefined = 3,
  kMissing = 4,
  kName = 5,
  kSource = 6,
  kPlace = 7,
  kSpace = 8,
};
enum class NameField : protozero::pbf_tag_type { kKind = 1, kFlag = 2, kPid = 3, kImage = 4, kAddress = 5, kText = 6 };
enum class LossField : protozero::pbf_tag_type { kCause = 1, kWhere = 2, kCount = 3 };

enum class RowsField : protozero::pbf_tag_type {
  kProbe = 1,
  kThread = 2,
  kText = 3,
  kRowProbes = 4,
  kRowTimes = 5,
  kRowThreads = 6,
  kCells = 7,
};
enum class CellsField : protozero::pbf_tag_type { kSet = 1, kColumn = 2 };
enum class ColumnField : protozero::pbf_tag_type { kKinds = 1, kPlain = 2, kDeltas = 3, kTexts = 4, kFaults = 5 };

enum class EndField : protozero::pbf_tag_type { kRows = 1, kBlocks = 2 };

}  // namespace dtrace::recording
