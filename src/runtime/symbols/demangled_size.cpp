// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/demangled_size.h"

#include <llvm/Demangle/ItaniumDemangle.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace dtrace::runtime {
namespace {

using llvm::itanium_demangle::Node;
using llvm::itanium_demangle::NodeArray;

/// Keeps the nodes of one name.
class Nodes {
 public:
  void reset() { pieces_.clear(); }
  template <typename T, typename... Args>
  T *makeNode(Args &&...args) {
    static_assert(std::is_trivially_destructible_v<T> || std::is_base_of_v<Node, T>);
    return new (allocate(sizeof(T))) T(std::forward<Args>(args)...);
  }
  void *allocateNodeArray(size_t count) { return allocate(sizeof(Node *) * count); }

 private:
  void *allocate(size_t size_bytes) {
    pieces_.push_back(std::make_unique<std::max_align_t[]>(size_bytes / sizeof(std::max_align_t) + 1));
    return pieces_.back().get();
  }
  std::deque<std::unique_ptr<std::max_align_t[]>> pieces_;
};

uint64_t add(uint64_t a, uint64_t b) { return b > ~a ? UINT64_MAX : a + b; }
uint64_t multiply(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/// Adds up what each node prints; a node that is referred to twice is looked at once.
class Sizes {
 public:
  uint64_t of(const Node *node) {
    if (node == nullptr) return 0;
    const auto [known, is_new] = sizes_.try_emplace(node, 0);  // 0 while it is being looked at: references in circles
    if (!is_new) return known->second;
    if (depth_ == kMaxDepth) return UINT64_MAX;
    ++depth_;
    uint64_t size = kPunctuationBytes;
    node->visit([&](const auto *specific) { size = add(size, of_parts(specific)); });
    --depth_;
    return sizes_[node] = size;
  }

 private:
  static constexpr uint64_t kPunctuationBytes = 32;  // of one node: brackets, commas, words as "decltype"
  static constexpr size_t kMaxDepth = 512;           // this recurses, and so do the demanglers

  template <typename T>
  uint64_t of_parts(const T *node) {
    uint64_t size = 0;
    if constexpr (std::is_same_v<T, llvm::itanium_demangle::ForwardTemplateReference>) {
      size = of(node->Ref);
    } else {
      node->match([&](const auto &...parts) { ((size = add(size, of_part(parts))), ...); });
    }
    // What it contains is printed for each element of a pack.
    if constexpr (std::is_same_v<T, llvm::itanium_demangle::ParameterPackExpansion>) size = multiply(size, longest_);
    return size;
  }
  template <typename T>
  uint64_t of_part(const T &part) {
    if constexpr (std::is_convertible_v<T, const Node *>) {
      return of(part);
    } else if constexpr (std::is_same_v<T, NodeArray>) {
      longest_ = std::max<uint64_t>(longest_, part.size());
      uint64_t size = 0;
      for (const Node *node : part) size = add(size, of(node));
      return size;
    } else if constexpr (std::is_convertible_v<T, std::string_view>) {
      return std::string_view(part).size();
    } else {
      return 0;  // a flag or a number
    }
  }

  std::unordered_map<const Node *, uint64_t> sizes_;
  uint64_t longest_ = 1;
  size_t depth_ = 0;
};

}  // namespace

uint64_t demangled_size(std::string_view name) {
  llvm::itanium_demangle::ManglingParser<Nodes> parser(name.data(), name.data() + name.size());
  const Node *node = parser.parse();
  return node == nullptr ? 0 : Sizes().of(node);
}

}  // namespace dtrace::runtime
