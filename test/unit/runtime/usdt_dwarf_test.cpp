// SPDX-License-Identifier: Apache-2.0
// Debug information that no compiler writes: each question about it ends, with an answer or without.
#include <dwarf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/usdt/dwarf_layout.h"
#include "test/unit/usdt/elf_builder.h"

namespace dtrace::runtime {
namespace {

/// One unit of entries. References are to labels, which may be set later.
class DwarfBuilder {
 public:
  DwarfBuilder() {
    test::put(info_, uint32_t{0});  // length
    test::put(info_, uint16_t{4});
    test::put(info_, uint32_t{0});  // abbreviations
    test::put(info_, uint8_t{8});
    begin(DW_TAG_compile_unit, true, {});
  }

  void begin(int tag, bool has_children, std::vector<std::pair<int, int>> attributes) {
    abbreviations_ += static_cast<char>(++last_code_);
    abbreviations_ += static_cast<char>(tag);
    abbreviations_ += static_cast<char>(has_children);
    for (const auto &[name, form] : attributes) {
      abbreviations_ += static_cast<char>(name);
      abbreviations_ += static_cast<char>(form);
    }
    abbreviations_.append(2, '\0');
    info_ += static_cast<char>(last_code_);
  }
  void end_children() { info_ += '\0'; }
  void label(const std::string &name) { labels_[name] = static_cast<uint32_t>(info_.size()); }
  void text(std::string_view text) { test::put_text(info_, text); }
  void byte(uint8_t value) { test::put(info_, value); }
  void reference(const std::string &name) {
    references_.emplace_back(info_.size(), name);
    test::put(info_, uint32_t{0});
  }
  void type_named(int tag, const std::string &name, const std::string &target) {
    label(name);
    begin(tag, false, {{DW_AT_name, DW_FORM_string}, {DW_AT_type, DW_FORM_ref4}});
    text(name);
    reference(target);
  }
  void begin_struct(const std::string &name) {
    label(name);
    begin(DW_TAG_structure_type, true, {{DW_AT_name, DW_FORM_string}, {DW_AT_byte_size, DW_FORM_data1}});
    text(name);
    byte(16);
  }
  void member(const std::string &name, const std::string &type, uint8_t offset = 0) {
    begin(DW_TAG_member, false,
          {{DW_AT_name, DW_FORM_string}, {DW_AT_type, DW_FORM_ref4}, {DW_AT_data_member_location, DW_FORM_data1}});
    text(name);
    reference(type);
    byte(offset);
  }

  std::string build() {
    end_children();
    for (const auto &[at, name] : references_) std::memcpy(&info_[at], &labels_.at(name), sizeof(uint32_t));
    const auto length = static_cast<uint32_t>(info_.size() - sizeof(uint32_t));
    std::memcpy(info_.data(), &length, sizeof length);
    test::ElfBuilder elf;
    elf.section(".debug_info", SHT_PROGBITS, info_);
    elf.section(".debug_abbrev", SHT_PROGBITS, abbreviations_ + '\0');
    return elf.build();
  }

 private:
  std::string info_, abbreviations_;
  unsigned last_code_ = 0;
  std::map<std::string, uint32_t> labels_;
  std::vector<std::pair<size_t, std::string>> references_;
};

std::optional<StructLayout> layout(const std::string &image, std::string_view type) {
  const test::BuiltFile built(image);
  REQUIRE(built.opened);
  return dwarf_layout(built.file(), type, 0x1000);
}

TEST_CASE("dwarf: a structure is found, and its members", "[usdt][dwarf]") {
  DwarfBuilder dwarf;
  dwarf.label("int");
  dwarf.begin(DW_TAG_base_type, false, {{DW_AT_byte_size, DW_FORM_data1}});
  dwarf.byte(4);
  dwarf.label("array");
  dwarf.begin(DW_TAG_array_type, true, {{DW_AT_type, DW_FORM_ref4}});
  dwarf.reference("int");
  dwarf.begin(DW_TAG_subrange_type, false, {{DW_AT_upper_bound, DW_FORM_data1}});
  dwarf.byte(2);
  dwarf.end_children();
  dwarf.label("pointer");
  dwarf.begin(DW_TAG_pointer_type, false, {});
  dwarf.begin_struct("request");
  dwarf.member("a", "int");
  dwarf.member("b", "array", 4);
  dwarf.member("c", "pointer", 16);
  dwarf.end_children();
  dwarf.type_named(DW_TAG_typedef, "request_t", "request");
  const std::string image = dwarf.build();
  for (const char *name : {"struct request", "request_t"}) {
    const auto found = layout(image, name);
    REQUIRE(found);
    CHECK(found->size_bytes == 16);
    REQUIRE(found->members.size() == 3);
    CHECK(found->members[0].bits == 32);
    CHECK(found->members[1].bits == 96);
    CHECK(found->members[1].off_bits == 32);
    CHECK(found->members[2].bits == 64);
  }
  CHECK_FALSE(layout(image, "struct other"));
}

TEST_CASE("dwarf: names that mean themselves", "[usdt][dwarf]") {
  DwarfBuilder dwarf;
  dwarf.type_named(DW_TAG_typedef, "one", "other");
  dwarf.type_named(DW_TAG_typedef, "other", "one");
  dwarf.label("array");
  dwarf.begin(DW_TAG_array_type, false, {{DW_AT_type, DW_FORM_ref4}});
  dwarf.reference("array");
  dwarf.begin_struct("request");
  dwarf.member("a", "one");
  dwarf.member("b", "array");
  dwarf.member("c", "request");
  dwarf.member("d", "request");
  dwarf.end_children();
  const std::string image = dwarf.build();
  CHECK_FALSE(layout(image, "one"));
  const auto found = layout(image, "struct request");
  REQUIRE(found);
  CHECK(found->members.size() >= 2);  // "one" has no type; as many as there is room for
}

TEST_CASE("dwarf: siblings that lie before", "[usdt][dwarf]") {
  DwarfBuilder dwarf;
  const auto struct_with_sibling = [&](const std::string &name, const std::string &sibling) {
    dwarf.label(name);
    dwarf.begin(DW_TAG_structure_type, true, {{DW_AT_sibling, DW_FORM_ref4}, {DW_AT_name, DW_FORM_string}});
    dwarf.reference(sibling);
    dwarf.text(name);
  };
  SECTION("itself") {
    struct_with_sibling("first", "first");
    dwarf.end_children();
  }
  SECTION("each other") {
    struct_with_sibling("first", "second");
    dwarf.end_children();
    struct_with_sibling("second", "first");
    dwarf.end_children();
  }
  SECTION("in a structure that has to be passed") {
    dwarf.begin_struct("outer");
    struct_with_sibling("inner", "inner");
    dwarf.end_children();
    dwarf.end_children();
  }
  CHECK_FALSE(layout(dwarf.build(), "struct request"));
}

TEST_CASE("dwarf: a section that says it is huge", "[usdt][dwarf]") {
  test::ElfBuilder elf;
  std::string packed;
  test::put(packed, Elf64_Chdr{ELFCOMPRESS_ZLIB, 0, uint64_t{1} << 40, 1});
  elf.section(".debug_info", SHT_PROGBITS, packed + std::string(64, 'x'));
  std::string image = elf.build();
  auto *header = reinterpret_cast<Elf64_Ehdr *>(image.data());
  auto *sections = reinterpret_cast<Elf64_Shdr *>(image.data() + header->e_shoff);
  SECTION("unpacked") { sections[1].sh_flags = SHF_COMPRESSED; }
  SECTION("as it is") { sections[1].sh_size = uint64_t{1} << 40; }
  CHECK_FALSE(layout(image, "struct request"));
}

}  // namespace
}  // namespace dtrace::runtime
