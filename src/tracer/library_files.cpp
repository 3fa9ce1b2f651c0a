// SPDX-License-Identifier: Apache-2.0
#include "tracer/library_files.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "arch/machine.h"
#include "base/read_file.h"
#include "runtime/kernel/kernel_info.h"

namespace dtrace::tracer {
namespace {

std::string without_last(std::string path, int components) {
  for (int i = 0; i < components; ++i) path.resize(std::min(path.rfind('/'), path.size()));
  return path;
}

/// The D library of this installation, found from where our code lies, so that a tree can be moved: beside the shared
/// library, or beside the folder of the command. Else where it was to be installed.
std::string installed_directory() {
  std::vector<std::string> candidates;
  Dl_info ours{};
  if (dladdr(reinterpret_cast<void *>(&without_last), &ours) != 0 && std::strstr(ours.dli_fname, ".so") != nullptr)
    candidates.push_back(without_last(ours.dli_fname, 1) + "/dtrace");
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  const std::string prefix = without_last({path, static_cast<size_t>(std::max<ssize_t>(length, 0))}, 2);
  for (const char *folder : {"/" DTRACE_LIBRARY_DIR, "/lib/dtrace", "/lib64/dtrace", "/share/dtrace"})
    candidates.push_back(prefix + folder);
  for (const std::string &candidate : candidates)
    if (access((candidate + "/dtrace.d").c_str(), R_OK) == 0) return candidate;
  return DTRACE_FULL_LIBRARY_DIR;
}

Result<Unit> read_directory(const std::string &directory, std::vector<LibraryFile> &files) {
  DIR *dir = opendir(directory.c_str());
  if (dir == nullptr) return Error::from_errno(directory, errno);
  while (dirent *entry = readdir(dir)) {
    const std::string_view name = entry->d_name;
    if (name.starts_with('.') || !name.ends_with(".d")) continue;
    std::string path = directory + "/" + entry->d_name;
    if (Result<std::string> text = read_file(path)) files.push_back({std::move(path), std::move(*text), false});
  }
  closedir(dir);
  return ok();
}

/// The files of a directory and, of its subdirectory for this machine, those too.
Result<std::vector<LibraryFile>> read_libraries(const std::string &directory, std::string_view machine) {
  std::vector<LibraryFile> files;
  if (Result<Unit> read = read_directory(directory, files); !read) return std::move(read).error();
  (void)read_directory(fmt::format("{}/{}", directory, machine), files);  // need not exist
  std::ranges::sort(files, {}, &LibraryFile::path);
  return files;
}

uint64_t number_in(const char *path) {
  const Result<std::string> text = read_file(path);
  return text ? std::strtoull(text->c_str(), nullptr, 10) : 0;
}

/// The nominal frequency of the first processor, which does not change; 0: no driver tells it.
uint64_t processor_mhz() {
  constexpr uint64_t kKhzPerMhz = 1000;
  for (const char *path :
       {"/sys/devices/system/cpu/cpu0/cpufreq/base_frequency", "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"})
    if (const uint64_t khz = number_in(path); khz != 0) return khz / kKhzPerMhz;
  return 0;
}

/// What the system's library knows of the machine, as one more file of it.
LibraryFile machine_facts(const std::string &directory, std::string_view name, long page_bytes, bool is_here) {
  return {directory + "/machine.d",
          fmt::format("inline int __dt_page_bytes = {};\n"
                      "inline int __dt_processor_mhz = {};\n"
                      "inline string __dt_processor_type = \"{}\";\n",
                      page_bytes, is_here ? processor_mhz() : 0, name),
          false};
}

}  // namespace

LibraryDirectories library_directories(const Options &options, const LibraryMachine &machine) {
  const std::string_view name = machine.name.empty() ? std::string_view(arch::host_machine().name) : machine.name;
  const long page_bytes = machine.page_bytes > 0 ? machine.page_bytes : sysconf(_SC_PAGESIZE);
  LibraryDirectories all;
  if (options.flag(Opt::nolibs)) return all;
  const std::string &system = options.string(Opt::syslibdir);
  std::vector<std::string> paths{system.empty() ? installed_directory() : system};
  const size_t nr_system = paths.size();
  paths.insert(paths.end(), options.list(Opt::libdir).begin(), options.list(Opt::libdir).end());
  for (size_t i = 0; i < paths.size(); ++i) {
    const std::string &path = paths[i];
    Result<std::vector<LibraryFile>> read = read_libraries(path, name);
    if (read) {
      for (LibraryFile &file : *read) file.is_asked = i >= nr_system;
      if (all.files.empty()) read->push_back(machine_facts(path, name, page_bytes, machine.name.empty()));
      all.files.push_back(std::move(*read));
    } else {  // DTrace goes on without a word; a user who mistyped a path would look for their names in vain
      all.problems.push_back(fmt::format("no D libraries in {}", read.error().text()));
    }
  }
  return all;
}

}  // namespace dtrace::tracer
