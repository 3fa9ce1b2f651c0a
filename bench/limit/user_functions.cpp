// SPDX-License-Identifier: Apache-2.0
// What it costs to probe every function of files that one process executes, done by hand: the symbol tables are read,
// each function's first byte gets a uprobe, all of a file in one link, for that process only. Prints "ready" when all
// are attached, waits for SIGINT, detaches them and prints how many probes there were.
//
//   user_functions PID FILE...     one link a file; functions that the kernel cannot probe are left out
//
// The same in D is pidPID:FILE::entry { @ = count(); } for each file.
#include <bpf/libbpf.h>
#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace {

[[noreturn]] void fail(const char *what) {
  fprintf(stderr, "user_functions: %s: %s\n", what, strerror(errno));
  exit(1);
}

/// File offsets of the functions that a symbol table names, each once.
std::vector<unsigned long> functions_of(const char *path) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  Elf *elf = fd < 0 ? nullptr : elf_begin(fd, ELF_C_READ_MMAP, nullptr);
  if (elf == nullptr) fail(path);
  size_t nr_headers = 0;
  elf_getphdrnum(elf, &nr_headers);
  std::vector<GElf_Phdr> segments;
  for (size_t i = 0; i < nr_headers; i++) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) && header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0)
      segments.push_back(header);
  }
  Elf_Scn *table = nullptr;
  for (Elf_Scn *section = elf_nextscn(elf, nullptr); section != nullptr; section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    gelf_getshdr(section, &header);
    if (header.sh_type == SHT_SYMTAB || (header.sh_type == SHT_DYNSYM && table == nullptr)) table = section;
  }
  if (table == nullptr) fail("no symbols");
  Elf_Data *data = elf_getdata(table, nullptr);
  std::vector<unsigned long> offsets;
  GElf_Sym symbol;
  for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
    if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0) continue;
    for (const GElf_Phdr &s : segments)
      if (symbol.st_value >= s.p_vaddr && symbol.st_value - s.p_vaddr < s.p_filesz)
        offsets.push_back(symbol.st_value - s.p_vaddr + s.p_offset);
  }
  elf_end(elf);
  close(fd);
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  return offsets;
}

struct Attached {
  std::vector<bpf_link *> links;
  size_t probes = 0;
};

/// One refused instruction fails the whole link: halves find it.
void attach(bpf_program *program, pid_t pid, const char *path, std::span<const unsigned long> offsets, Attached &all) {
  LIBBPF_OPTS(bpf_uprobe_multi_opts, opts, .offsets = offsets.data(), .cnt = offsets.size());
  if (bpf_link *link = bpf_program__attach_uprobe_multi(program, pid, path, nullptr, &opts); link != nullptr) {
    all.links.push_back(link);
    all.probes += offsets.size();
    return;
  }
  if (offsets.size() == 1) return;
  attach(program, pid, path, offsets.first(offsets.size() / 2), all);
  attach(program, pid, path, offsets.subspan(offsets.size() / 2), all);
}

int quiet(enum libbpf_print_level, const char *, va_list) { return 0; }

}  // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: user_functions PID FILE...\n");
    return 2;
  }
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  elf_version(EV_CURRENT);
  std::string own(argv[0]);
  const std::string dir = own.substr(0, own.rfind('/'));
  bpf_object *object = bpf_object__open_file((dir + "/uprobe.bpf.o").c_str(), nullptr);
  if (object == nullptr) fail("uprobe.bpf.o");
  bpf_program *program = nullptr, *each = nullptr;
  bpf_object__for_each_program(each, object) {
    const bool wanted = strcmp(bpf_program__name(each), "uprobe_count") == 0;
    bpf_program__set_autoload(each, wanted);
    if (wanted) program = each;
  }
  if (program == nullptr || bpf_object__load(object) != 0) fail("load");
  libbpf_set_print(quiet);

  Attached all;
  for (int i = 2; i < argc; i++) attach(program, atoi(argv[1]), argv[i], functions_of(argv[i]), all);
  printf("ready\n");
  fflush(stdout);
  int signal = 0;
  sigwait(&signals, &signal);
  for (bpf_link *link : all.links) bpf_link__destroy(link);
  printf("probes %zu\n", all.probes);
  fflush(stdout);
  _exit(0);
}
