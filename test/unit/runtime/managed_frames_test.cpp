// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/managed_frames.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "bpf/dt_hotspot.h"

namespace dtrace::runtime {
namespace {

uint64_t value(uint64_t position, uint32_t unit) {
  return DT_MANAGED_TAG << DT_MANAGED_TAG_SHIFT | position << DT_MANAGED_POSITION_SHIFT | unit;
}

/// A pool of 64 units with one record.
struct Pool {
  std::vector<std::byte> bytes = std::vector<std::byte>(size_t{64} * DT_MANAGED_UNIT_BYTES);
  dt_managed_record head{};
  uint32_t unit = 4;

  Pool() {
    head.language = DT_MANAGED_PYTHON;
    head.version = 0x030b;
    head.first_line = 7;
  }
  void put(size_t at, const void *data, size_t size_bytes) {
    std::memcpy(bytes.data() + at * DT_MANAGED_UNIT_BYTES, data, size_bytes);
  }
  template <typename Character>
  void put_text(int role, size_t at, const std::basic_string<Character> &text) {
    head.texts[role].size_bytes = static_cast<uint16_t>(text.size() * sizeof(Character));
    head.texts[role].width = sizeof(Character);
    put(at, text.data(), text.size() * sizeof(Character));
  }
  StackFrame frame(uint64_t position = 0) {
    put(unit, &head, sizeof head);
    const std::vector<StackFrame> frames = managed_frames(bytes, value(position, unit));
    REQUIRE(frames.size() == 1);
    return frames.front();
  }
};

}  // namespace

TEST_CASE("a managed frame has name, file and line", "[managed]") {
  Pool pool;
  pool.put_text(DT_MANAGED_NAME, 5, std::string("Tree.sum"));
  pool.put_text(DT_MANAGED_FILE, 6, std::string("/x/tree.py"));
  // Two units of line 8, then three of line 20.
  const std::vector<uint8_t> table = {0xd9, 0x00, 0x00, 0xea, 0x18};
  pool.put(7, table.data(), table.size());
  pool.head.table_bytes = static_cast<uint32_t>(table.size());
  CHECK(is_managed(value(0, 4)));
  CHECK_FALSE(is_managed(0x00007f1234567890));
  CHECK_FALSE(is_managed(0xffffffff81000000));
  const StackFrame first = pool.frame(0);
  CHECK(first.symbol == "Tree.sum");
  CHECK(first.source == "/x/tree.py:8");
  CHECK(first.language == "python");
  CHECK(pool.frame(1).source == "/x/tree.py:8");
  CHECK(pool.frame(2).source == "/x/tree.py:20");
  CHECK(pool.frame(4).source == "/x/tree.py:20");
  CHECK(pool.frame(5).source == "/x/tree.py");
  CHECK(pool.frame(DT_MANAGED_NO_POSITION).source == "/x/tree.py");
}

TEST_CASE("a Java method has class, file and line, and may be inlined", "[managed]") {
  Pool pool;
  pool.head.language = DT_MANAGED_JAVA;
  pool.head.version = 0;
  pool.put_text(DT_MANAGED_NAME, 5, std::string("run"));
  pool.put_text(DT_MANAGED_FILE, 6, std::string("Main.java"));
  pool.put_text(DT_MANAGED_SCOPE, 7, std::string("org/example/Main$1+0x0000000800001000"));
  // Line 14, and from bytecode 3 on line 16.
  const std::vector<uint8_t> table = {0xff, 0, 28, 3 << 3 | 2, 0};
  pool.put(8, table.data(), table.size());
  pool.head.table_bytes = static_cast<uint32_t>(table.size());
  const StackFrame first = pool.frame(2);
  CHECK(first.symbol == "org.example.Main$1/0x0000000800001000.run");
  CHECK(first.source == "Main.java:14");
  CHECK(first.language == "java");
  CHECK_FALSE(first.is_inlined);
  const StackFrame inlined = pool.frame(DT_HOTSPOT_INLINED | 3);
  CHECK(inlined.source == "Main.java:16");
  CHECK(inlined.is_inlined);
  CHECK(pool.frame(DT_HOTSPOT_NO_BYTECODE).source == "Main.java");
  CHECK(pool.frame(DT_HOTSPOT_INLINED | DT_HOTSPOT_NO_BYTECODE).is_inlined);
  // Walks that are not to show lines take no file.
  pool.head.texts[DT_MANAGED_FILE].size_bytes = 0;
  CHECK(pool.frame(DT_HOTSPOT_NO_BYTECODE).source.empty());
}

TEST_CASE("names of any width are UTF-8 and printable", "[managed]") {
  Pool pool;
  pool.put_text(DT_MANAGED_NAME, 5, std::string("gr\xf6\xdf\x65"));
  CHECK(pool.frame().symbol == "größe");
  pool.put_text(DT_MANAGED_NAME, 5, std::u16string(u"名前"));
  CHECK(pool.frame().symbol == "名前");
  pool.put_text(DT_MANAGED_NAME, 5, std::u32string(U"𝒳\x1b["));
  CHECK(pool.frame().symbol == "𝒳\\033[");
  pool.put_text(DT_MANAGED_NAME, 5, std::string("cut"));
  pool.head.texts[DT_MANAGED_NAME].is_cut = 1;
  CHECK(pool.frame().symbol == "cut...");
}

TEST_CASE("a Java method has the name of its class as programs write it", "[managed]") {
  Pool pool;
  pool.head.language = DT_MANAGED_JAVA;
  pool.put_text(DT_MANAGED_NAME, 5, std::string("hashCode"));
  pool.put_text(DT_MANAGED_SCOPE, 6, std::string("java/lang/String"));
  CHECK(pool.frame(DT_MANAGED_NO_POSITION).symbol == "java.lang.String.hashCode");
  CHECK(pool.frame(DT_MANAGED_NO_POSITION).language == "java");
  CHECK(pool.frame(DT_MANAGED_NO_POSITION).source.empty());
  pool.put_text(DT_MANAGED_SCOPE, 6, std::string("a/B$$Lambda+0x08"));
  CHECK(pool.frame(DT_MANAGED_NO_POSITION).symbol == "a.B$$Lambda/0x08.hashCode");
}

TEST_CASE("frames without a record say why", "[managed]") {
  const std::vector<std::byte> none;
  CHECK(managed_frames(none, value(DT_MANAGED_NO_ROOM, 0)).front().symbol == "(no room for its name)");
  CHECK(managed_frames(none, value(DT_MANAGED_UNREADABLE, 0)).front().symbol == "(its function is not readable)");
  CHECK(managed_frames(none, value(3, 12345)).front().symbol == "0x4d00000300003039");
  Pool pool;
  pool.unit = 63;  // nothing lies behind it
  pool.head.texts[DT_MANAGED_NAME].size_bytes = 60000;
  pool.head.table_bytes = 1U << 31;
  CHECK(pool.frame().symbol.empty());
}

}  // namespace dtrace::runtime
