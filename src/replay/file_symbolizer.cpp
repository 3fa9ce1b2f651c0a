// SPDX-License-Identifier: Apache-2.0
#include "replay/file_symbolizer.h"

#include <fmt/format.h>

#include <charconv>

namespace dtrace::replay {
namespace {

using NameKind = recording::Name::Kind;

constexpr size_t kTextsOfFrame = 4, kTextsOfMapping = 5;

uint64_t number_in(std::string_view text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

size_t FileSymbolizer::Hash::operator()(const Key &key) const {
  constexpr uint64_t kMix = 0x9e3779b97f4a7c15;
  uint64_t sum = key.address * kMix;
  sum = (sum ^ (uint64_t{static_cast<uint32_t>(key.pid)} << 32 | key.image)) * kMix;
  return static_cast<size_t>((sum ^ (sum >> 32) ^ (static_cast<uint64_t>(key.kind) << 1 | uint64_t{key.flag})) * kMix);
}

FileSymbolizer::FileSymbolizer(const std::vector<recording::Name> &names) {
  names_.reserve(names.size());
  for (const recording::Name &name : names)
    names_.insert_or_assign({name.kind, name.flag, name.pid, name.image, name.address}, &name);
}

const recording::Name *FileSymbolizer::find(const Key &key, size_t texts) const {
  if (key.pid == runtime::kFileSpacePid) {
    const auto known = stand_for_.find(key.address);
    if (known == stand_for_.end()) return nullptr;
    const auto &[image, address] = known->second;
    return find({key.kind, key.flag, image.pid, image.mark, address}, texts);
  }
  const auto found = names_.find(key);
  return found == names_.end() || found->second->texts.size() < texts ? nullptr : found->second;
}

std::string FileSymbolizer::one_text(const Key &key) const {
  const recording::Name *name = find(key, 1);
  return name == nullptr || name->texts.front().empty() ? fmt::format("{:#x}", key.address) : name->texts.front();
}

std::string FileSymbolizer::kernel_symbol(uint64_t address, bool want_offset) {
  return one_text({NameKind::kKernelSymbol, want_offset, 0, 0, address});
}

std::string FileSymbolizer::kernel_module(uint64_t address) {
  return one_text({NameKind::kKernelModule, false, 0, 0, address});
}

std::string FileSymbolizer::user_symbol(runtime::UserImage image, uint64_t address, bool want_offset) {
  return one_text({NameKind::kUserSymbol, want_offset, image.pid, image.mark, address});
}

std::string FileSymbolizer::user_module(runtime::UserImage image, uint64_t address) {
  return one_text({NameKind::kUserModule, false, image.pid, image.mark, address});
}

std::vector<runtime::StackFrame> FileSymbolizer::user_frames(runtime::UserImage image, uint64_t address,
                                                             bool is_return) {
  const recording::Name *name = find({NameKind::kUserFrames, is_return, image.pid, image.mark, address}, kTextsOfFrame);
  if (name == nullptr) return {{user_symbol(image, address, true), {}, false, {}}};
  std::vector<runtime::StackFrame> frames;
  for (size_t at = 0; at + kTextsOfFrame <= name->texts.size(); at += kTextsOfFrame)
    frames.push_back({name->texts[at], name->texts[at + 1], name->texts[at + 3] == "1", name->texts[at + 2]});
  return frames;
}

runtime::CodeMapping FileSymbolizer::mapping(runtime::UserImage image, uint64_t address) {
  const recording::Name *name = find({NameKind::kMapping, false, image.pid, image.mark, address}, kTextsOfMapping);
  if (name == nullptr) return {};
  const std::vector<std::string> &texts = name->texts;
  return {number_in(texts[0]), number_in(texts[1]), number_in(texts[2]), texts[3], texts[4]};
}

std::optional<uint64_t> FileSymbolizer::shared_address(runtime::UserImage image, uint64_t address) {
  const runtime::CodeMapping code = mapping(image, address);
  if (code.file.empty() || address < code.start || address >= code.end) return std::nullopt;
  const uint64_t offset = address - code.start + code.offset;
  const std::optional<uint64_t> base = files_.base_of(code.file + '\n' + code.build_id);
  if (!base || offset >= runtime::FileSpace::kFileBytes) return std::nullopt;
  stand_for_.try_emplace(*base + offset, image, address);
  return *base + offset;
}

}  // namespace dtrace::replay
