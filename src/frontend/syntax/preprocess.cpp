// SPDX-License-Identifier: Apache-2.0
// cpp's arguments. __sun is not defined: scripts that ask for it want Solaris structures.
#include "frontend/syntax/preprocess.h"

#include <fmt/format.h>

#include <algorithm>

namespace dtrace {

namespace {

std::vector<std::string> words(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n";
  std::vector<std::string> result;
  for (size_t begin = text.find_first_not_of(kBlanks); begin != std::string_view::npos;) {
    size_t end = std::min(text.find_first_of(kBlanks, begin), text.size());
    result.emplace_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kBlanks, end);
  }
  return result;
}

/// "6.1.0-13-amd64" as part of a macro's name: "6_1_0_13_amd64".
std::string identifier_part(std::string_view text) {
  std::string result(text);
  for (char &c : result) {
    bool word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!word) c = '_';
  }
  return result;
}

std::vector<std::string> machine_macros(const PreprocessOptions &options) {
  if (options.machine == "x86_64") {
    if (options.model_32) return {"__i386"};
    return {"__amd64", "__x86_64"};
  }
  if (options.machine == "aarch64") return {"__aarch64", "__aarch64__"};
  return {"__" + identifier_part(options.machine)};
}

}  // namespace

std::vector<std::string> preprocess_command(const PreprocessOptions &options) {
  std::vector<std::string> command = {options.cpp};
  command.emplace_back(options.conformance == 's' ? "-traditional-cpp" : "-std=gnu99");
  if (options.list_headers) command.emplace_back("-H");
  size_t slash = options.script.rfind('/');
  if (slash != std::string::npos) {
    command.emplace_back("-iquote");
    command.push_back(slash == 0 ? "/" : options.script.substr(0, slash));
  }
  std::vector<std::string> macros = {"__linux",
                                     "__linux__",
                                     "__unix",
                                     "__SVR4",
                                     "__SUNW_D=1",
                                     options.model_32 ? "__SUNW_D_32" : "__SUNW_D_64",
                                     fmt::format("__SUNW_D_VERSION={:#010x}", options.version)};
  std::string system = "__" + identifier_part(options.system_name);
  macros.push_back(system);
  if (!options.system_release.empty()) macros.push_back(system + "_" + identifier_part(options.system_release));
  for (std::string &macro : machine_macros(options)) macros.push_back(std::move(macro));
  for (const std::string &macro : macros) command.push_back("-D" + macro);
  command.emplace_back("-U__GNUC__");
  for (const auto &[flag, value] : options.arguments) command.push_back(fmt::format("-{}{}", flag, value));
  for (std::string &word : words(options.extra)) command.push_back(std::move(word));
  return command;
}

std::string preprocess_input(std::string_view script, std::string_view text) {
  if (text.starts_with("#!")) text.remove_prefix(std::min(text.find('\n'), text.size()));
  std::string input;
  if (!script.empty() && script.find('\n') == std::string_view::npos) {
    input = "#line 1 \"";
    for (const char c : script) {
      if (c == '"' || c == '\\') input += '\\';
      input += c;
    }
    input += "\"\n";
  }
  return input.append(text);
}

}  // namespace dtrace
