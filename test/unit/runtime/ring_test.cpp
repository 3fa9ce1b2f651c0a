// SPDX-License-Identifier: Apache-2.0
// The reader of ring buffers, over a buffer that is written by hand as the kernel writes one.
#include "runtime/load/ring.h"

#include <linux/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <string>

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

/// A file in memory in place of the kernel's map: consumer page, producer page, data. The kernel maps the data twice in
/// a row; here, records that would run over the end are not written.
class Buffer {
 public:
  static constexpr size_t kBytes = 4096;

  Buffer() : fd_(memfd_create("ring", MFD_CLOEXEC)) {
    page_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    REQUIRE(ftruncate(fd_.get(), static_cast<off_t>(2 * page_ + 2 * kBytes)) == 0);
    memory_ =
        static_cast<char *>(mmap(nullptr, 2 * page_ + 2 * kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0));
    REQUIRE(memory_ != MAP_FAILED);
  }
  ~Buffer() { munmap(memory_, 2 * page_ + 2 * kBytes); }

  Ring ring() const {
    Result<Ring> made = Ring::map(fd_.get(), kBytes, 3);
    REQUIRE(made);
    return std::move(*made);
  }
  /// Reserves a record: its offset, for commit().
  size_t reserve(const std::string &text) {
    const size_t at = producer_;
    const auto length = static_cast<uint32_t>(text.size());
    std::memcpy(data(at) + BPF_RINGBUF_HDR_SZ, text.data(), text.size());
    set_length(at, length | BPF_RINGBUF_BUSY_BIT);
    producer_ += (length + BPF_RINGBUF_HDR_SZ + 7) & ~size_t{7};
    std::memcpy(memory_ + page_, &producer_, sizeof producer_);
    return at;
  }
  void commit(size_t at) { set_length(at, length(at) & ~BPF_RINGBUF_BUSY_BIT); }
  void discard(size_t at) { set_length(at, (length(at) & ~BPF_RINGBUF_BUSY_BIT) | BPF_RINGBUF_DISCARD_BIT); }
  void add(const std::string &text) { commit(reserve(text)); }
  uint64_t consumed() const {
    uint64_t position = 0;
    std::memcpy(&position, memory_, sizeof position);
    return position;
  }

 private:
  char *data(size_t position) const { return memory_ + 2 * page_ + position % kBytes; }
  uint32_t length(size_t at) const {
    uint32_t value = 0;
    std::memcpy(&value, data(at), sizeof value);
    return value;
  }
  void set_length(size_t at, uint32_t value) { std::memcpy(data(at), &value, sizeof value); }

  Fd fd_;
  size_t page_ = 0;
  char *memory_ = nullptr;
  uint64_t producer_ = 0;
};

/// What a pass takes, with a space after each record.
std::string pass(Ring &ring) {
  std::string all;
  ring.begin_pass();
  for (std::span<const std::byte> bytes = ring.peek(); !bytes.empty(); bytes = ring.peek()) {
    all.append(reinterpret_cast<const char *>(bytes.data()), bytes.size()).push_back(' ');
    ring.pop();
  }
  return all;
}

}  // namespace

TEST_CASE("a pass takes what was committed before it, and gives the space back when told") {
  Buffer buffer;
  Ring ring = buffer.ring();
  CHECK(ring.cpu() == 3);
  CHECK(ring.size_bytes() == Buffer::kBytes);
  CHECK(pass(ring).empty());
  buffer.add("one");
  buffer.add("twelve bytes");
  CHECK(ring.pending_bytes() == 16 + 24);
  CHECK(pass(ring) == "one twelve bytes ");
  CHECK(buffer.consumed() == 0);
  CHECK(ring.pending_bytes() == 0);
  ring.release();
  CHECK(buffer.consumed() == 16 + 24);
}

TEST_CASE("what comes while a pass runs is left for the next one") {
  Buffer buffer;
  Ring ring = buffer.ring();
  buffer.add("first");
  ring.begin_pass();
  buffer.add("second");
  REQUIRE(ring.peek().size() == 5);
  ring.pop();
  CHECK(ring.peek().empty());
  CHECK(pass(ring) == "second ");
}

TEST_CASE("a record that is still being written holds up those behind it, and none is lost") {
  Buffer buffer;
  Ring ring = buffer.ring();
  buffer.add("a");
  const size_t busy = buffer.reserve("b");
  buffer.add("c");
  CHECK(pass(ring) == "a ");
  CHECK(pass(ring).empty());
  ring.release();
  CHECK(buffer.consumed() == 16);
  buffer.commit(busy);
  CHECK(pass(ring) == "b c ");
  ring.release();
  CHECK(buffer.consumed() == 48);
}

TEST_CASE("discarded records are passed over, the last one too") {
  Buffer buffer;
  Ring ring = buffer.ring();
  buffer.discard(buffer.reserve("never"));
  buffer.add("kept");
  buffer.discard(buffer.reserve("never either"));
  CHECK(pass(ring) == "kept ");
  CHECK(ring.pending_bytes() == 0);
  const size_t busy = buffer.reserve("later");
  CHECK(pass(ring).empty());
  buffer.discard(busy);
  buffer.add("last");
  CHECK(pass(ring) == "last ");
}

TEST_CASE("the rings of two CPUs: one that commits late is read in its own next pass") {
  Buffer first, second;
  Ring a = first.ring(), b = second.ring();
  const size_t late = first.reserve("late");
  second.add("early");
  CHECK(pass(a).empty());
  CHECK(pass(b) == "early ");
  first.commit(late);
  second.add("more");
  CHECK(pass(a) == "late ");
  CHECK(pass(b) == "more ");
}
