// SPDX-License-Identifier: Apache-2.0
#include "digest/digest.h"

#include <llvm-c/blake3.h>

#include <cstring>

namespace dtrace {

struct Digest::State {
  llvm_blake3_hasher hasher;
};

Digest::Digest() : state_(std::make_unique<State>()) { llvm_blake3_hasher_init(&state_->hasher); }
Digest::~Digest() = default;

void Digest::flush() {
  llvm_blake3_hasher_update(&state_->hasher, waiting_.data(), waiting_bytes_);
  waiting_bytes_ = 0;
}

void Digest::bytes(const void *data, size_t size_bytes) {
  if (size_bytes > waiting_.size() - waiting_bytes_) flush();
  if (size_bytes > waiting_.size()) return llvm_blake3_hasher_update(&state_->hasher, data, size_bytes);
  if (size_bytes != 0) std::memcpy(waiting_.data() + waiting_bytes_, data, size_bytes);
  waiting_bytes_ += size_bytes;
}

void Digest::text(std::string_view text) {
  number(text.size());
  bytes(text.data(), text.size());
}

DigestBytes Digest::finish() {
  flush();
  DigestBytes result;
  llvm_blake3_hasher_finalize(&state_->hasher, result.data(), result.size());
  return result;
}

DigestBytes digest_of(std::string_view text) {
  Digest digest;
  digest.text(text);
  return digest.finish();
}

}  // namespace dtrace
