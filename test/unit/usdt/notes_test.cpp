// SPDX-License-Identifier: Apache-2.0
// Notes of sites and providers: what is read, moved, left out and refused.
#include "usdt/notes.h"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstring>
#include <utility>

#include "test/unit/usdt/elf_builder.h"
#include "usdt/byte_writer.h"
#include "usdt/note_dtrace.h"

using namespace dtrace;
using namespace dtrace::usdt;
using test::ElfBuilder;
using test::put;
using test::put_text;

namespace {

FileNotes notes_of(ElfBuilder &builder) {
  const test::BuiltFile built(builder.build());
  REQUIRE(built.opened);
  return read_notes(built.file());
}

}  // namespace

TEST_CASE("notes: a site", "[notes]") {
  ElfBuilder builder;
  builder.site(0x1010, 0, 0x3004, "postgresql", "query__start", "8@%rbx");
  const FileNotes notes = notes_of(builder);
  REQUIRE(notes.sites.size() == 1);
  const SiteNote &site = notes.sites[0];
  CHECK(site.pc == 0x1010);
  CHECK(site.code_offset == ElfBuilder::kCodeOffset + 0x10);
  CHECK(site.semaphore_offset == ElfBuilder::kDataOffset + 4);
  CHECK(site.provider == "postgresql");
  CHECK(site.probe == "query-start");
  CHECK(site.arguments == "8@%rbx");
  CHECK(notes.discarded == 0);
  CHECK(notes.malformed == 0);
}

TEST_CASE("notes: names of probes", "[notes]") {
  CHECK(probe_name("query__start") == "query-start");
  CHECK(probe_name("a___b") == "a-_b");
  CHECK(probe_name("a____b") == "a--b");
  CHECK(probe_name("one_two") == "one_two");
  CHECK(probe_name("AllocObject__entry") == "AllocObject-entry");
  CHECK(probe_name("__") == "-");
  CHECK(probe_name("_").size() == 1);
}

TEST_CASE("notes: a file moved after it was linked", "[notes]") {
  ElfBuilder builder;
  builder.section(".stapsdt.base", SHT_PROGBITS, std::string(1, '\0'), 0x1200);
  builder.site(0x0910, 0x0b00, 0x2904, "p", "moved", "");  // by 0x700
  builder.site(0x1010, 0, 0x3004, "p", "unmoved", "");     // without a base nothing is known
  builder.site(0x1020, 0x1200, 0, "p", "same", "");
  const FileNotes notes = notes_of(builder);
  REQUIRE(notes.sites.size() == 3);
  CHECK(notes.sites[0].pc == 0x1010);
  CHECK(notes.sites[0].semaphore_offset == ElfBuilder::kDataOffset + 4);
  CHECK(notes.sites[1].pc == 0x1010);
  CHECK(notes.sites[2].pc == 0x1020);
}

TEST_CASE("notes: sites whose code is gone", "[notes]") {
  ElfBuilder builder;
  builder.site(0, 0, 0, "p", "zero", "");
  builder.site(UINT64_MAX, 0, 0, "p", "tombstone", "");
  builder.site(0x3000, 0, 0, "p", "data", "");
  builder.site(0x1400, 0, 0, "p", "beyond", "");
  builder.site(0x13ff, 0, 0, "p", "last", "");
  const FileNotes notes = notes_of(builder);
  REQUIRE(notes.sites.size() == 1);
  CHECK(notes.sites[0].probe == "last");
  CHECK(notes.discarded == 4);
}

TEST_CASE("notes: a counter that is not in writable data is none", "[notes]") {
  ElfBuilder builder;
  builder.site(0x1010, 0, 0x1004, "p", "in_code", "");
  builder.site(0x1010, 0, 0x9000, "p", "nowhere", "");
  const FileNotes notes = notes_of(builder);
  REQUIRE(notes.sites.size() == 2);
  CHECK(notes.sites[0].semaphore_offset == 0);
  CHECK(notes.sites[1].semaphore_offset == 0);
}

TEST_CASE("notes: a counter in .bss can be reached in the last page of the file's part", "[notes]") {
  ElfBuilder builder;  // data at 0x3000, from file offset 0x800 on, 0x400 bytes: the page ends at address 0x3800
  builder.bss(0x2000);
  builder.site(0x1010, 0, 0x3404, "p", "near", "");
  builder.site(0x1011, 0, 0x37fe, "p", "last", "");
  builder.site(0x1012, 0, 0x3800, "p", "beyond", "");
  const FileNotes notes = notes_of(builder);
  REQUIRE(notes.sites.size() == 3);
  CHECK(notes.sites[0].semaphore_offset == 0xc04);
  CHECK(notes.sites[1].semaphore_offset == 0xffe);
  CHECK(notes.sites[2].semaphore_offset == 0);
}

TEST_CASE("notes: what is not understood is counted", "[notes]") {
  ElfBuilder builder;
  builder.raw_site_note(test::note("stapsdt", 2, std::string(40, 'x')));   // an extinct version
  builder.raw_site_note(test::note("stapsdt", 3, std::string(23, '\0')));  // ends in its numbers
  builder.raw_site_note(test::note("stapsdt", 3, std::string(40, 'x')));   // strings without an end
  builder.site(0x1010, 0, 0, "", "no_provider", "");
  builder.site(0x1010, 0, 0, "a:b", "colon", "");
  builder.site(0x1010, 0, 0, "p", "sound", "");
  builder.raw_site_note(std::string(7, '\1'));  // cut off
  const FileNotes notes = notes_of(builder);
  REQUIRE(notes.sites.size() == 1);
  CHECK(notes.sites[0].probe == "sound");
  CHECK(notes.malformed == 6);
  CHECK(notes.cut == "its section .note.stapsdt ends within a note");
  CHECK(notes.refused.empty());
}

TEST_CASE("notes: sizes of a note that overflow, and what fills up a section", "[notes]") {
  for (const auto &[name_bytes, descriptor_bytes] : {std::pair(0xffffffffU, 0xffffffffU), std::pair(8U, 0xfffffff0U),
                                                     std::pair(0xfffffff8U, 16U), std::pair(8U, 41U)}) {
    std::string bytes;
    put<uint32_t>(bytes, name_bytes);
    put<uint32_t>(bytes, descriptor_bytes);
    put<uint32_t>(bytes, 3);
    put_text(bytes, "stapsdt");
    ElfBuilder builder;
    builder.site(0x1010, 0, 0, "p", "before", "");
    builder.raw_site_note(bytes + std::string(40, '\0'));
    const FileNotes notes = notes_of(builder);
    CHECK(notes.sites.size() == 1);
    CHECK(notes.cut == "its section .note.stapsdt ends within a note");
  }
  ElfBuilder padded;
  padded.site(0x1010, 0, 0, "p", "only", "");
  padded.raw_site_note(std::string(8, '\0'));
  const FileNotes notes = notes_of(padded);
  CHECK(notes.sites.size() == 1);
  CHECK(notes.cut.empty());
  CHECK(notes.malformed == 0);
}

namespace {

/// The 64-bit number at that offset of a built file is another one.
std::string changed(std::string image, size_t offset, uint64_t value, size_t bytes = 8) {
  std::memcpy(image.data() + offset, &value, bytes);
  return image;
}

/// Offsets of the headers of the section of notes, which is the first, and of that with the names of all.
std::pair<size_t, size_t> headers_of(const std::string &image) {
  Elf64_Ehdr ehdr{};
  std::memcpy(&ehdr, image.data(), sizeof ehdr);
  return {ehdr.e_shoff + sizeof(Elf64_Shdr), ehdr.e_shoff + ehdr.e_shstrndx * sizeof(Elf64_Shdr)};
}

}  // namespace

TEST_CASE("notes: sections that are not where the file says", "[notes]") {
  ElfBuilder builder;
  builder.site(0x1010, 0, 0, "p", "name", "");
  const std::string image = builder.build();
  const size_t offset = headers_of(image).first + offsetof(Elf64_Shdr, sh_offset);
  const size_t size = headers_of(image).first + offsetof(Elf64_Shdr, sh_size);
  for (const auto &[at, value] : {std::pair(offset, uint64_t{0x7fffffff}), std::pair(offset, UINT64_MAX - 8),
                                  std::pair(offset, uint64_t{1} << 63), std::pair(size, uint64_t{1} << 20)}) {
    const test::BuiltFile built(changed(image, at, value));
    REQUIRE(built.opened);
    const FileNotes notes = read_notes(built.file());
    CHECK(notes.sites.empty());
    CHECK(notes.refused.ends_with("cannot be read"));
  }
  const test::BuiltFile large(changed(image, size, UINT64_MAX - 8));
  REQUIRE(large.opened);
  CHECK(read_notes(large.file()).refused.ends_with("is larger than is read"));
}

TEST_CASE("notes: a damaged file is told from one that is no program", "[notes]") {
  ElfBuilder builder;
  builder.site(0x1010, 0, 0, "p", "name", "");
  const std::string image = builder.build();
  const auto error_of = [](std::string bytes) {
    const test::BuiltFile built(std::move(bytes));
    if (built.opened) return std::string(built.file().has_unread_names() ? "no names" : "");
    return (ElfFile::claims_to_be_program(built.source) ? "damaged: " : "none: ") + built.opened.error().text();
  };
  CHECK(error_of(image).empty());
  CHECK(error_of(changed(image, offsetof(Elf64_Ehdr, e_shoff), 1ULL << 40)) ==
        "damaged: section headers outside of the file");
  CHECK(error_of(changed(image, offsetof(Elf64_Ehdr, e_shoff), UINT64_MAX - 8)) ==
        "damaged: section headers outside of the file");
  CHECK(error_of(changed(image, offsetof(Elf64_Ehdr, e_phoff), 1ULL << 40)) ==
        "damaged: program headers outside of the file");
  CHECK(error_of(changed(image, offsetof(Elf64_Ehdr, e_phnum), 0xfffe, 2)) ==
        "damaged: program headers outside of the file");
  CHECK(error_of(image.substr(0, image.size() - 1)) == "damaged: section headers outside of the file");
  CHECK(error_of(image.substr(0, 20)) == "damaged: an ELF file that ends within its header");
  CHECK(error_of(image.substr(0, 4)) == "damaged: an ELF file that ends within its header");
  CHECK(error_of(changed(image, headers_of(image).second + offsetof(Elf64_Shdr, sh_offset), 1ULL << 40)) == "no names");
  CHECK(error_of(changed(image, EI_CLASS, 7, 1)) == "none: an ELF file of an unknown class");
  CHECK(error_of(changed(image, offsetof(Elf64_Ehdr, e_type), ET_REL, 2)) ==
        "none: neither a program nor a shared object");
  CHECK(error_of("#!/bin/sh") == "none: not an ELF file");
  CHECK(error_of("") == "none: not an ELF file");
}

TEST_CASE("notes: a file without, and one that only mentions them", "[notes]") {
  ElfBuilder plain;
  const test::BuiltFile without(plain.build());
  REQUIRE(without.opened);
  CHECK_FALSE(has_probe_notes(without.file()));
  ElfBuilder mentions;
  mentions.section(".rodata", SHT_PROGBITS, std::string(".note.stapsdt\0", 14));
  mentions.section(".note.stapsdt", SHT_NOBITS, "");  // a separate debug file
  const test::BuiltFile with(mentions.build());
  CHECK_FALSE(has_probe_notes(with.file()));
  CHECK(read_notes(with.file()).sites.empty());
}

TEST_CASE("notes: sites and providers of Oracle's form", "[notes]") {
  ElfBuilder builder;
  builder.code(0x1100, std::string_view("handle_request\0", 15));
  std::string site;
  put<uint64_t>(site, 0x1020);
  put<uint64_t>(site, 0x1100);
  put_text(site, "httpd");
  put_text(site, "request__start");
  put<uint8_t>(site, 1);
  put_text(site, "8@%rdi");
  std::string test_site = site;
  std::string provider;
  put_text(provider, "httpd");
  provider.resize((provider.size() + 3) / 4 * 4);
  for (int i = 0; i < 5; ++i) put<uint32_t>(provider, 5U << 24 | 4U << 16 | 5U << 8);
  put<uint32_t>(provider, 1);
  put_text(provider, "request-start");
  put<uint8_t>(provider, 2);
  put_text(provider, "dthttpd_t *");
  put_text(provider, "int");
  put<uint8_t>(provider, 1);
  put_text(provider, "conninfo_t *");
  put<uint8_t>(provider, 0);
  builder.section(".note.usdt", SHT_NOTE,
                  test::note("usdt", 1, site) + test::note("usdt", 2, test_site) + test::note("dver", 1, "D 2.0.7") +
                      test::note("prov", 1, provider) + test::note("prov", 1, provider.substr(0, 30)));
  const FileNotes notes = notes_of(builder);
  REQUIRE(notes.sites.size() == 1);
  CHECK(notes.sites[0].probe == "request-start");
  CHECK(notes.sites[0].function == "handle_request");
  CHECK(notes.sites[0].code_offset == ElfBuilder::kCodeOffset + 0x20);
  REQUIRE(notes.providers.size() == 1);
  const Provider &declared = notes.providers[0];
  CHECK(text(declared.attributes.args) == "Evolving/Unstable/Common");
  REQUIRE(declared.probes.size() == 1);
  REQUIRE(notes.tests.size() == 1);
  CHECK(notes.tests[0].provider == "httpd");
  CHECK(notes.tests[0].probe == "request-start");
  CHECK(notes.tests[0].code_offset == ElfBuilder::kCodeOffset + 0x20);
  CHECK(notes.tests[0].arguments == "8@%rdi");
  CHECK(declared.probes[0].native.size() == 2);
  REQUIRE(declared.probes[0].translated.size() == 1);
  CHECK(declared.probes[0].translated[0].type == "conninfo_t *");
  CHECK(notes.malformed == 1);
}

TEST_CASE("notes: providers and stubs of our own form", "[notes]") {
  Provider written;
  written.name = "httpd";
  written.attributes.name = {Stability::kEvolving, Stability::kStable, DependencyClass::kCommon};
  written.probes.push_back({"request__start", {{"dthttpd_t *", "p"}, {"int", ""}}, true, {{"conninfo_t *", "c", 0}}});
  written.probes.push_back({"idle", {}, false, {}});
  written.definitions.push_back("struct dthttpd { int a; int b; };");
  ByteWriter bytes;
  write_provider_note(written, bytes);
  std::string stub;
  put<uint64_t>(stub, 0x1010);
  ElfBuilder builder;
  builder.site(0x1010, 0, 0, "httpd", "idle", "");
  builder.site(0x1020, 0, 0, "httpd", "idle", "");
  builder.section(".note.dtrace", SHT_NOTE,
                  std::string(bytes.data()) + test::note("dtrace", 3, stub) + test::note("dtrace", 1, "?") +
                      test::note("dtrace", 77, "later"));
  const FileNotes notes = notes_of(builder);
  REQUIRE(notes.sites.size() == 2);
  CHECK(notes.sites[0].is_stub);
  CHECK_FALSE(notes.sites[1].is_stub);
  REQUIRE(notes.providers.size() == 1);
  const Provider &read = notes.providers[0];
  CHECK(read.name == "httpd");
  CHECK(text(read.attributes.name) == "Evolving/Stable/Common");
  CHECK(text(read.attributes.args) == "Private/Private/Unknown");
  REQUIRE(read.probes.size() == 2);
  CHECK(read.probes[0].name == "request__start");
  CHECK(read.probes[0].native[0].type == "dthttpd_t *");
  CHECK(read.probes[0].native[0].name == "p");
  CHECK(read.probes[0].is_translated);
  CHECK(read.probes[0].translated[0].type == "conninfo_t *");
  CHECK_FALSE(read.probes[1].is_translated);
  CHECK(read.definitions == written.definitions);
  CHECK(notes.malformed == 1);
}

TEST_CASE("notes: probes that are only tested for being enabled", "[notes]") {
  const auto test_of = [](uint64_t pc, uint64_t semaphore, std::string_view probe) {
    std::string bytes;
    put<uint64_t>(bytes, pc);
    put<uint64_t>(bytes, semaphore);
    put_text(bytes, "shop");
    put_text(bytes, probe);
    put<uint8_t>(bytes, 2);
    return bytes;
  };
  std::string at_function;
  put<uint64_t>(at_function, 0x1014);
  ElfBuilder builder;
  builder.site(0x1010, 0, 0x3000, "shop", "sold", "8@%rdi 8@%rsi");
  builder.section(".note.dtrace", SHT_NOTE,
                  test::note("dtrace", 2, test_of(0x1020, 0x3000, "sold")) +
                      test::note("dtrace", 2, test_of(0x1030, 0x3002, "sale__done")) +
                      test::note("dtrace", 2, test_of(0x1040, 0x3002, "sale__done")) +
                      test::note("dtrace", 2, test_of(0x1060, 0x3008, "asked") + at_function) +
                      test::note("dtrace", 2, test_of(0, 0x3004, "discarded")) +
                      test::note("dtrace", 2, test_of(0x1050, 0x3006, "cut").substr(0, 24)));
  const FileNotes notes = notes_of(builder);
  REQUIRE(notes.sites.size() == 3);
  CHECK(notes.sites[0].pc == 0x1010);
  CHECK(notes.sites[1].probe == "asked");
  CHECK(notes.sites[1].pc == 0x1060);
  CHECK(notes.sites[1].function_pc == 0x1014);
  const SiteNote &tested = notes.sites[2];
  CHECK(tested.function_pc == 0);
  CHECK(tested.probe == "sale-done");
  CHECK(tested.pc == 0x1030);
  CHECK(tested.semaphore_offset == ElfBuilder::kDataOffset + 2);
  CHECK(tested.arguments == "8@$0 8@$0");
  CHECK(notes.malformed == 1);

  ElfBuilder arm(ET_DYN, EM_AARCH64);
  arm.section(".note.dtrace", SHT_NOTE, test::note("dtrace", 2, test_of(0x1020, 0x3000, "sold")));
  const FileNotes of_arm = notes_of(arm);
  REQUIRE(of_arm.sites.size() == 1);
  CHECK(of_arm.sites[0].arguments == "8@0 8@0");
}

TEST_CASE("elf_file: headers that lie", "[elf_file]") {
  ElfBuilder builder;
  builder.site(0x1010, 0, 0, "p", "x", "");
  const std::string good = builder.build();
  const auto opens = [](const std::string &bytes) { return static_cast<bool>(test::BuiltFile(bytes).opened); };
  CHECK(opens(good));
  CHECK_FALSE(opens(""));
  CHECK_FALSE(
      opens("\x7f"
            "ELF"));
  CHECK_FALSE(opens(std::string(64, 'x')));
  const auto with = [&](size_t at, auto value) {
    std::string bytes = good;
    std::memcpy(bytes.data() + at, &value, sizeof value);
    return bytes;
  };
  CHECK_FALSE(opens(with(offsetof(Elf64_Ehdr, e_phoff), UINT64_MAX - 8)));
  CHECK_FALSE(opens(with(offsetof(Elf64_Ehdr, e_shoff), UINT64_MAX - 8)));
  CHECK_FALSE(opens(with(offsetof(Elf64_Ehdr, e_shnum), uint16_t{65535})));
  CHECK_FALSE(opens(with(offsetof(Elf64_Ehdr, e_phentsize), uint16_t{1})));
  CHECK_FALSE(opens(with(EI_DATA, uint8_t{ELFDATA2MSB})));
  CHECK_FALSE(opens(with(offsetof(Elf64_Ehdr, e_type), uint16_t{ET_CORE})));
  CHECK(opens(with(offsetof(Elf64_Ehdr, e_shstrndx), uint16_t{60000})));  // nameless sections, no probes
}

TEST_CASE("notes: a section that is not read is refused with the reason", "[notes]") {
  ElfBuilder builder;
  builder.site(0x1010, 0, 0, "p", "x", "");
  std::string image = builder.build();
  auto *header = reinterpret_cast<Elf64_Ehdr *>(image.data());
  auto *notes = reinterpret_cast<Elf64_Shdr *>(image.data() + header->e_shoff) + 1;
  const auto refused = [&] {
    const test::BuiltFile built(image);
    REQUIRE(built.opened);
    REQUIRE(has_probe_notes(built.file()));
    return read_notes(built.file()).refused;
  };
  CHECK(refused().empty());
  notes->sh_size = 1 << 20;
  CHECK(refused() == "its section .note.stapsdt of 1048576 bytes cannot be read");
  notes->sh_size = uint64_t{1} << 40;
  CHECK(refused() == "its section .note.stapsdt of 1099511627776 bytes is larger than is read");
}

TEST_CASE("notes: names are printable", "[notes]") {
  ElfBuilder builder;
  builder.site(0x1010, 0, 0, "p", "x\033]0;y", "");
  builder.site(0x1010, 0, 0, "p\n", "x", "");
  const FileNotes notes = notes_of(builder);
  CHECK(notes.sites.empty());
  CHECK(notes.malformed == 2);
}
