// SPDX-License-Identifier: Apache-2.0
// Where BTF comes from: the running kernel's, or a file instead (option btfpath). vmlinux is read at once, a
// module's only when somebody names it. What a reader would get wrong: the indexes point into the mappings held here,
// so this object outlives every TypeTable that knows them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/owned.h"
#include "base/result.h"
#include "frontend/types/btf.h"

namespace dtrace::runtime {

inline constexpr char kKernelBtfPath[] = "/sys/kernel/btf";

class KernelBtf {
 public:
  /// In:     a directory that holds `vmlinux` and one file per module, or one file that stands for vmlinux: raw BTF, or
  ///         ELF with a .BTF section.
  /// Errors: no such file (a kernel without CONFIG_DEBUG_INFO_BTF), not readable, not BTF.
  static Result<std::unique_ptr<KernelBtf>> open(const std::string &path = kKernelBtfPath);

  const BtfIndex &vmlinux() const { return *vmlinux_.index; }

  /// BTF of one loaded module, read on first use. Errors: no such module, or its BTF is refused.
  Result<const BtfIndex *> module(std::string_view name);

  /// Modules that have BTF, in the order of their names; reads the directory only.
  std::vector<std::string> module_names() const;

  /// For TypeTable::set_module_loader: the module called `name`, or with an empty name all of them. What cannot be read
  /// is left out.
  std::vector<const BtfIndex *> load(std::string_view name);

 private:
  struct Blob {
    Mapping mapping;
    std::unique_ptr<BtfIndex> index;
  };

  static Result<Blob> read_blob(const std::string &path, std::string_view name, const BtfIndex *base);

  std::string directory_;  // empty: a single file was given, and there are no modules
  Blob vmlinux_;
  std::map<std::string, Blob, std::less<>> modules_;
};

}  // namespace dtrace::runtime
