// SPDX-License-Identifier: Apache-2.0
// RAII handles for what the system hands out: file descriptors and mappings.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <span>
#include <utility>

namespace dtrace {

/// Owns one file descriptor; -1 is "none".
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd &operator=(Fd &&other) noexcept {
    if (this != &other) {
      reset();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  Fd(const Fd &) = delete;
  Fd &operator=(const Fd &) = delete;
  ~Fd() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  void reset() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
};

/// Owns one mapping made by mmap(2).
class Mapping {
 public:
  Mapping() = default;
  Mapping(void *address, size_t size_bytes) : address_(address), size_bytes_(size_bytes) {}
  Mapping(Mapping &&other) noexcept
      : address_(std::exchange(other.address_, nullptr)), size_bytes_(std::exchange(other.size_bytes_, 0)) {}
  Mapping &operator=(Mapping &&other) noexcept {
    if (this != &other) {
      reset();
      address_ = std::exchange(other.address_, nullptr);
      size_bytes_ = std::exchange(other.size_bytes_, 0);
    }
    return *this;
  }
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;
  ~Mapping() { reset(); }

  void *data() const { return address_; }
  size_t size_bytes() const { return size_bytes_; }
  std::span<const std::byte> bytes() const { return {static_cast<const std::byte *>(address_), size_bytes_}; }
  explicit operator bool() const { return address_ != nullptr; }
  void reset() {
    if (address_ != nullptr) ::munmap(std::exchange(address_, nullptr), std::exchange(size_bytes_, 0));
  }

 private:
  void *address_ = nullptr;
  size_t size_bytes_ = 0;
};

}  // namespace dtrace
