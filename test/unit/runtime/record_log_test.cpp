// SPDX-License-Identifier: Apache-2.0
// What the consumer makes of a log as programs may leave it. The log is a map of the kernel; programs are played by
// hand.
#include "runtime/load/record_log.h"
#include "test/unit/runtime/kernel_lacks.h"

#include <bpf/bpf.h>
#include <cerrno>
#include <cstring>
#include <string>

#include <catch2/catch.hpp>

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

constexpr uint32_t kSlots = 4;
constexpr uint32_t kRecordBytes = 16;

struct Slot {
  dt_log_slot head{};
  char text[kRecordBytes] = {};
};

class Written {
 public:
  Written() : log_(RecordLog::make(0, sizeof(Slot), kSlots)) {
    if (log_) fd_ = log_->take_fd();
  }
  bool may_run() const { return static_cast<bool>(log_); }
  /// What the `number`th writer of this CPU leaves, counted from 1: its record, or nothing after all, or it writes on.
  void record(uint64_t number) { put(number, number, 0); }
  void given_up(uint64_t number) { put(number, 0, 0); }
  void unfinished(uint64_t number) { put(number, number, 1); }
  std::string texts() const {
    std::string all;
    for (std::span<const std::byte> bytes : log_->records()) {
      CHECK(bytes.size() == kRecordBytes);
      all += std::string(reinterpret_cast<const char *>(bytes.data())) + " ";
    }
    return all;
  }
  uint64_t gaps() const { return log_->gaps(); }

 private:
  void put(uint64_t writer, uint64_t number, uint32_t busy) {
    Slot slot;
    slot.head.number = number;
    slot.head.busy = busy;
    std::strncpy(slot.text, std::to_string(writer).c_str(), sizeof slot.text - 1);
    auto index = static_cast<uint32_t>((writer - 1) % kSlots);
    REQUIRE(bpf_map_update_elem(fd_.get(), &index, &slot, BPF_ANY) == 0);
  }

  Result<RecordLog> log_;
  Fd fd_;
};

}  // namespace

TEST_CASE("a log gives its records in order, oldest first, and tells what is missing", "[record_log]") {
  SKIP_WITHOUT(kBpf);
  Written log;
  if (!log.may_run()) {
    WARN("skipped: the kernel gives no maps to this user");
    return;
  }
  CHECK(log.texts().empty());
  CHECK(log.gaps() == 0);

  SECTION("before it is full") {
    for (uint64_t n = 1; n <= 3; n++) log.record(n);
    CHECK(log.texts() == "1 2 3 ");
    CHECK(log.gaps() == 0);
    log.given_up(2);  // nothing was overwritten
    CHECK(log.texts() == "1 3 ");
    CHECK(log.gaps() == 0);
  }
  SECTION("after some rounds") {
    for (uint64_t n = 1; n <= 10; n++) log.record(n);
    CHECK(log.texts() == "7 8 9 10 ");
    CHECK(log.gaps() == 0);
  }
  SECTION("one of them gave way to what was no record") {
    for (uint64_t n = 1; n <= 10; n++) log.record(n);
    log.given_up(9);
    CHECK(log.texts() == "7 8 10 ");
    CHECK(log.gaps() == 1);
    log.given_up(8);
    CHECK(log.texts() == "7 10 ");
    CHECK(log.gaps() == 2);
  }
  SECTION("the next to be overwritten is no loss") {
    for (uint64_t n = 1; n <= 10; n++) log.record(n);
    log.given_up(7);
    CHECK(log.texts() == "8 9 10 ");
    CHECK(log.gaps() == 0);
  }
  SECTION("in the first round that overwrites") {
    for (uint64_t n = 1; n <= 6; n++) log.record(n);
    log.given_up(5);
    CHECK(log.texts() == "3 4 6 ");
    CHECK(log.gaps() == 1);
  }
  SECTION("one is still being written") {
    for (uint64_t n = 1; n <= 6; n++) log.record(n);
    log.unfinished(6);
    CHECK(log.texts() == "3 4 5 ");
    CHECK(log.gaps() == 0);
  }
}
