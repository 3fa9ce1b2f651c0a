// SPDX-License-Identifier: Apache-2.0
// What a store keeps of a compilation: the object, what the plan learned from emission, and the questions with their
// answers. As bytes; the store sees to it that they are those that were kept.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/clause/code_facts.h"
#include "codegen/planning/questions.h"

namespace dtrace::codegen {

struct ObjectEntry {
  Questions questions;
  std::string answers;  ///< of the time when the object was made
  CodeFacts facts;
  std::vector<char> elf;
};

std::string encode(const ObjectEntry &entry);
/// Nothing: the bytes are no entry.
std::optional<ObjectEntry> decode(std::string_view bytes);

}  // namespace dtrace::codegen
