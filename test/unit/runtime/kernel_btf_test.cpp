// SPDX-License-Identifier: Apache-2.0
// Where BTF is read from: the running kernel, a directory, a raw file, an ELF file.
#include "runtime/kernel/kernel_btf.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "frontend/types/types.h"
#include "test/unit/frontend/btf_builder.h"

using namespace dtrace;
using namespace dtrace::runtime;
using dtrace::test::BtfBuilder;
using Kind = BtfIndex::Kind;

namespace {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = std::filesystem::temp_directory_path() / "kernel_btf_test.XXXXXX";
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  std::string file(const std::string &name) const { return path_ + "/" + name; }
  const std::string &path() const { return path_; }

 private:
  std::string path_;
};

void write(const std::string &path, std::span<const std::byte> bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

struct Blobs {
  std::vector<std::byte> vmlinux, module;
  Blobs() {
    BtfBuilder b;
    const uint32_t i = b.integer("int", 4, 1);
    const uint32_t s = b.aggregate(Kind::kStruct, "core", 4, {{"x", i, 0}});
    vmlinux = b.blob();
    BtfBuilder m(s, b.strings_bytes());
    m.aggregate(Kind::kStruct, "extra", 8, {{"core", s, 0}, {"y", i, 32}});
    module = m.blob();
  }
};

std::string failure(const std::string &path) {
  Result<std::unique_ptr<KernelBtf>> btf = KernelBtf::open(path);
  REQUIRE_FALSE(btf);
  return btf.error().text();
}

}  // namespace

TEST_CASE("a directory of BTF files: vmlinux at once, modules by name", "[kernel_btf]") {
  const Blobs blobs;
  const TemporaryDirectory dir;
  write(dir.file("vmlinux"), blobs.vmlinux);
  write(dir.file("mod_a"), blobs.module);
  write(dir.file("broken"), std::span(blobs.module).first(20));

  Result<std::unique_ptr<KernelBtf>> opened = KernelBtf::open(dir.path());
  REQUIRE(opened);
  KernelBtf &btf = **opened;
  CHECK(btf.vmlinux().module() == "vmlinux");
  CHECK(btf.vmlinux().find("core", Kind::kStruct));
  CHECK(btf.module_names() == std::vector<std::string>{"broken", "mod_a"});

  Result<const BtfIndex *> module = btf.module("mod_a");
  REQUIRE(module);
  CHECK((*module)->find("extra", Kind::kStruct));
  CHECK((*module)->base() == &btf.vmlinux());
  CHECK(*btf.module("mod_a") == *module);
  CHECK(*btf.module("vmlinux") == &btf.vmlinux());

  const Result<const BtfIndex *> broken = btf.module("broken");
  REQUIRE_FALSE(broken);
  CHECK(broken.error().text() ==
        "cannot read types of module: " + dir.file("broken") + ": broken: not BTF: shorter than its header");
  CHECK_FALSE(btf.module("nosuch"));
  CHECK_FALSE(btf.module("../" + dir.path()));
  CHECK_FALSE(btf.module(""));
  CHECK_FALSE(btf.module("."));

  CHECK(btf.load("mod_a") == std::vector<const BtfIndex *>{*module});
  CHECK(btf.load("nosuch").empty());
  CHECK(btf.load("") == std::vector<const BtfIndex *>{*module});  // the broken one is left out

  TypeTable types;
  types.add_btf(&btf.vmlinux());
  types.set_module_loader([&btf](std::string_view name) { return btf.load(name); });
  const std::optional<TypeId> extra = types.find(TagKind::kStruct, "extra");
  REQUIRE(extra);
  CHECK(types.find_member(*extra, "core")->member.type == *types.find(TagKind::kStruct, "core"));
}

TEST_CASE("one file in the kernel's place, raw or ELF", "[kernel_btf]") {
  const Blobs blobs;
  const TemporaryDirectory dir;
  write(dir.file("raw"), blobs.vmlinux);
  Result<std::unique_ptr<KernelBtf>> raw = KernelBtf::open(dir.file("raw"));
  REQUIRE(raw);
  CHECK((*raw)->vmlinux().find("core", Kind::kStruct));
  CHECK((*raw)->module_names().empty());
  CHECK_FALSE((*raw)->module("mod_a"));

  // An ELF file without .BTF: this test itself. One with: made by objcopy where there is one.
  CHECK(failure("/proc/self/exe") == "cannot read kernel types: /proc/self/exe: no section .BTF");
  const std::string command = "objcopy --add-section .BTF=" + dir.file("raw") + " /proc/" + std::to_string(getpid()) +
                              "/exe " + dir.file("elf") + " 2>/dev/null";
  if (std::system(command.c_str()) != 0) {
    WARN("skipped the ELF half: no objcopy");
    return;
  }
  Result<std::unique_ptr<KernelBtf>> elf = KernelBtf::open(dir.file("elf"));
  INFO((elf ? "" : elf.error().text()));
  REQUIRE(elf);
  CHECK((*elf)->vmlinux().find("core", Kind::kStruct));
}

TEST_CASE("what cannot be read says why", "[kernel_btf]") {
  const TemporaryDirectory dir;
  CHECK(failure(dir.file("none")) == "cannot read kernel types: " + dir.file("none") + ": No such file or directory");
  CHECK(failure(dir.path()) == "cannot read kernel types: " + dir.file("vmlinux") + ": No such file or directory");
  write(dir.file("empty"), {});
  CHECK(failure(dir.file("empty")) == "cannot read kernel types: " + dir.file("empty") + ": empty file");
  write(dir.file("text"), std::as_bytes(std::span("this is not BTF at all, is it")));
  CHECK(failure(dir.file("text")) ==
        "cannot read kernel types: " + dir.file("text") + ": vmlinux: not BTF: no magic number");
  write(dir.file("elf"), std::as_bytes(std::span("\177ELF but nothing more")));
  CHECK(failure(dir.file("elf")).find("cannot read kernel types: " + dir.file("elf")) == 0);
}

TEST_CASE("the running kernel's BTF, mapped or read", "[kernel_btf][live]") {
  if (access("/sys/kernel/btf/vmlinux", R_OK) != 0) {
    WARN("skipped: this kernel has no BTF");
    return;
  }
  Result<std::unique_ptr<KernelBtf>> btf = KernelBtf::open();
  INFO((btf ? "" : btf.error().text()));
  REQUIRE(btf);
  CHECK((*btf)->vmlinux().find("task_struct", Kind::kStruct));
  for (const std::string &name : (*btf)->module_names()) {
    const Result<const BtfIndex *> module = (*btf)->module(name);
    INFO((module ? "" : module.error().text()));
    CHECK(module);
  }
}
