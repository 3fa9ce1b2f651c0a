// SPDX-License-Identifier: Apache-2.0
#include "usdt/object.h"

#include <fmt/format.h>

#include "usdt/byte_writer.h"
#include "usdt/calling_convention.h"
#include "usdt/elf_writer.h"
#include "usdt/header.h"
#include "usdt/note_dtrace.h"
#include "usdt/stub_code.h"

namespace dtrace::usdt {
namespace {

/// Each takes a handful of sections, and the format's plain counts end at 65280.
constexpr size_t kMaxProbes = 6000;

class ObjectBuilder {
 public:
  explicit ObjectBuilder(const ObjectRequest &request)
      : request_(request), target_(request.target), code_(machine_code(request.target)), elf_(request.target) {}

  Result<std::string> run() {
    size_t count = 0;
    for (const Provider &provider : *request_.providers) count += provider.probes.size();
    if (count > kMaxProbes) return Error(fmt::format("{} probes: more than {} in one object", count, kMaxProbes));
    if (!request_.calls.empty() && code_ == nullptr)
      return Error(fmt::format("{} is called as a function: no support for that on this machine (ELF machine {})",
                               *request_.calls.begin(), target_.machine));
    if (code_ != nullptr) add_property();
    for (const Provider &provider : *request_.providers) add_provider_note(provider);
    for (const StubName &name : *request_.names) {
      if (!name.is_enabled_test) add_semaphore(name);
      if (code_ == nullptr || !request_.calls.contains(name.symbol)) continue;
      name.is_enabled_test ? add_test(name) : add_stub(name);
    }
    ElfWriter::Section stack;
    stack.name = ".note.GNU-stack";
    elf_.add_section(std::move(stack));
    return elf_.file();
  }

 private:
  /// Without it the linker would take the marks for branch and return protection off the whole program.
  void add_property() {
    constexpr uint32_t kPropertyNote = 5;  // NT_GNU_PROPERTY_TYPE_0
    ByteWriter out(target_.big_endian);
    out.u32(4);
    out.u32(target_.is_64 ? 16 : 12);
    out.u32(kPropertyNote);
    out.string("GNU");
    out.u32(code_->property);
    out.u32(4);
    out.u32(code_->property_bits);
    out.align(target_.address_bytes());
    ElfWriter::Section section;
    section.name = ".note.gnu.property";
    section.type = SHT_NOTE;
    section.flags = SHF_ALLOC;
    section.alignment = target_.address_bytes();
    section.data = out.take();
    elf_.add_section(std::move(section));
  }

  void add_provider_note(const Provider &provider) {
    if (provider.probes.empty()) return;
    ByteWriter out(target_.big_endian);
    write_provider_note(provider, out);
    ElfWriter::Section section;
    section.name = kNoteSection;
    section.type = SHT_NOTE;
    section.alignment = 4;
    section.data = out.take();
    section.group = elf_.add_group(note_signature(provider));
    elf_.add_section(std::move(section));
  }

  void add_semaphore(const StubName &name) {
    const std::string symbol = semaphore_name(name.provider->name, name.probe->name);
    ElfWriter::Section section;
    section.name = ".probes";
    section.flags = SHF_ALLOC | SHF_WRITE;
    section.alignment = 2;
    section.data.assign(2, '\0');
    section.group = elf_.add_group(symbol);
    const size_t at = elf_.add_section(std::move(section));
    semaphore_ = elf_.add_symbol({symbol, at, 0, 2, STB_WEAK, STT_OBJECT, STV_HIDDEN});
  }

  /// A function in a group of its own; returns its section.
  size_t add_function(const std::string &symbol, std::string_view code, size_t group) {
    ElfWriter::Section section;
    section.name = ".text." + symbol;
    section.flags = SHF_ALLOC | SHF_EXECINSTR;
    section.alignment = code_->alignment;
    section.data = code;
    section.group = group;
    const size_t at = elf_.add_section(std::move(section));
    elf_.add_symbol({symbol, at, 0, code.size(), STB_WEAK, STT_FUNC, STV_HIDDEN});
    return at;
  }

  void add_stub(const StubName &name) {
    const size_t group = elf_.add_group(name.symbol);
    const std::string copies = copies_of_reals(code_->machine, real_sizes(name.probe->native, target_));
    const uint64_t nop_offset = code_->nop_offset + copies.size();
    std::string code(code_->probe);
    code.insert(code_->nop_offset, copies);
    const size_t text = add_function(name.symbol, code, group);
    const size_t text_symbol = elf_.add_symbol({"", text, 0, 0, STB_LOCAL, STT_SECTION, STV_DEFAULT});
    add_site(name, group, text_symbol, nop_offset);

    ByteWriter mark(target_.big_endian);
    begin_note(mark, kNoteName, target_.address_bytes(), static_cast<uint32_t>(NoteType::kStub));
    const uint64_t address_at = mark.size();
    mark.bytes(std::string(target_.address_bytes(), '\0'));
    const size_t section = add_note(kNoteSection, mark.take(), group);
    add_address(section, address_at, text_symbol, static_cast<int64_t>(nop_offset));
  }

  void add_test(const StubName &name) {
    const size_t group = elf_.add_group(name.symbol);
    // The nop is that of a stub, behind the function's end.
    const std::string code = std::string(code_->test).append(code_->nop());
    const size_t text = add_function(name.symbol, code, group);
    for (const CodeReference &reference : code_->test_references)
      elf_.add_relocation(text, reference.offset, reference.type, semaphore_, reference.addend);

    const size_t text_symbol = elf_.add_symbol({"", text, 0, 0, STB_LOCAL, STT_SECTION, STV_DEFAULT});
    const unsigned width = target_.address_bytes();
    ByteWriter fields(target_.big_endian);
    fields.bytes(std::string(2UL * width, '\0'));
    fields.string(name.provider->name);
    fields.string(name.probe->name);
    fields.u8(static_cast<uint8_t>(name.probe->native.size()));
    ByteWriter note(target_.big_endian);
    begin_note(note, kNoteName, fields.size(), static_cast<uint32_t>(NoteType::kTest));
    const uint64_t address_at = note.size();
    note.bytes(fields.data());
    note.align(4);
    const size_t section = add_note(kNoteSection, note.take(), group);
    add_address(section, address_at, text_symbol, static_cast<int64_t>(code_->test.size()));
    add_address(section, address_at + width, semaphore_, 0);
  }

  void add_site(const StubName &name, size_t group, size_t text_symbol, uint64_t nop_offset) {
    const std::string arguments = arguments_at_entry(name.probe->native, target_);
    ByteWriter texts;
    texts.string(name.provider->name);
    texts.string(name.probe->name);
    texts.string(arguments);
    const unsigned width = target_.address_bytes();
    ByteWriter note(target_.big_endian);
    begin_note(note, std::string_view("stapsdt\0", 8), 3 * width + texts.size(), 3);
    const uint64_t pc_at = note.size();
    note.bytes(std::string(3UL * width, '\0'));
    note.bytes(texts.data());
    note.align(4);
    const size_t section = add_note(".note.stapsdt", note.take(), group);
    add_address(section, pc_at, text_symbol, static_cast<int64_t>(nop_offset));
    add_address(section, pc_at + width, base(), 0);
    add_address(section, pc_at + 2UL * width, semaphore_, 0);
  }

  /// `_.stapsdt.base`, by which tracers notice that a file was moved after it was linked.
  size_t base() {
    if (base_ != ElfWriter::kNone) return base_;
    ElfWriter::Section section;
    section.name = ".stapsdt.base";
    section.flags = SHF_ALLOC;
    section.data.assign(1, '\0');
    section.group = elf_.add_group(".stapsdt.base");
    const size_t at = elf_.add_section(std::move(section));
    base_ = elf_.add_symbol({"_.stapsdt.base", at, 0, 1, STB_WEAK, STT_NOTYPE, STV_HIDDEN});
    return base_;
  }

  void begin_note(ByteWriter &out, std::string_view name, size_t descriptor_bytes, uint32_t type) const {
    out.u32(static_cast<uint32_t>(name.size()));
    out.u32(static_cast<uint32_t>(descriptor_bytes));
    out.u32(type);
    out.bytes(name);
    out.align(4);
  }

  size_t add_note(std::string_view name, std::string data, size_t group) {
    ElfWriter::Section section;
    section.name = name;
    section.type = SHT_NOTE;
    section.alignment = 4;
    section.data = std::move(data);
    section.group = group;
    return elf_.add_section(std::move(section));
  }

  void add_address(size_t section, uint64_t offset, size_t symbol, int64_t addend) {
    elf_.add_relocation(section, offset, target_.is_64 ? code_->address_64 : code_->address_32, symbol, addend);
  }

  const ObjectRequest &request_;
  const Target &target_;
  const MachineCode *code_;
  ElfWriter elf_;
  size_t semaphore_ = ElfWriter::kNone;  ///< of the probe last added
  size_t base_ = ElfWriter::kNone;
};

}  // namespace

Result<std::string> object_file(const ObjectRequest &request) { return ObjectBuilder(request).run(); }

}  // namespace dtrace::usdt
