// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "base/options.h"

namespace dtrace {
namespace {

struct Word {
  std::string_view theirs, ours;
};

constexpr Word kWords[] = {
    {"comm", "execname"},
    {"nsecs", "timestamp"},
    {"elapsed", "timestamp"},
    {"curtask", "curthread"},
    {"kstack", "stack()"},
    {"retval", "arg1, or arg0 at the return of a system call"},
    {"username", "uid"},
    {"probe", "probefunc, probename"},
    {"str", "copyinstr()"},
    {"kstr", "stringof()"},
    {"buf", "tracemem()"},
    {"hist", "quantize()"},
    {"lhist", "lquantize()"},
    {"stats", "avg(), count() and sum()"},
    {"ksym", "sym()"},
    {"kaddr", "a backquote: &`symbol"},
    {"reg", "uregs[]"},
    {"ntop", "inet_ntop()"},
    {"time", "printf(\"%Y\", walltimestamp)"},
    {"strftime", "printf(\"%Y\", walltimestamp)"},
    {"delete", "an assignment of 0"},
    {"zero", "clear()"},
    {"signal", "raise()"},
    {"strcontains", "strstr()"},
    {"strcmp", "==, which compares strings"},
    {"strncmp", "==, which compares strings"},
    {"strcat", "strjoin()"},
    {"strcpy", "an assignment"},
    {"sprintf", "strjoin() and lltostr()"},
    {"itoa", "lltostr()"},
    {"getpid", "pid"},
    {"puts", "printf()"},
    {"len", "strlen()"},
    {"cat", "system(\"cat ...\")"},
    {"join", "execargs"},
};

/// Providers of other systems, and where Linux has the like.
constexpr Word kProviders[] = {
    {"mach_trap", "Mach traps are of macOS; syscall::: has the system calls of Linux"},
    {"vfs", "the probes of files are fsinfo:::, and fbt::vfs_*: those of the kernel's functions"},
    {"objc", "Objective-C is of macOS; pid$target: has the functions of a process"},
    {"dtmalloc", "dtmalloc is of FreeBSD; sdt:kmem:: has the allocations of the kernel"},
    {"callout_execute", "callout_execute is of FreeBSD; sdt:timer:: has the timers of the kernel"},
    {"priv", "priv is of FreeBSD; fbt::capable:entry is where the kernel asks for a privilege"},
};

constexpr std::string_view kDeclare =
    "variables are declared outside of clauses; an assignment creates one: this->x = 1";

/// Words that begin a statement elsewhere, and what D has instead.
constexpr Word kStatements[] = {
    {"do", "D has for and while"},
    {"unroll", "D has for and while"},
    {"foreach", "D has for and while; printa() prints an aggregation"},
    {"elseif", "write else if (...)"},
    {"elsif", "write else if (...)"},
    {"elif", "write else if (...)"},
    {"else", "else must follow the statement or the block of an if"},
    {"int", kDeclare},
    {"char", kDeclare},
    {"short", kDeclare},
    {"long", kDeclare},
    {"unsigned", kDeclare},
    {"signed", kDeclare},
    {"struct", kDeclare},
    {"string", kDeclare},
    {"const", kDeclare},
    {"static", kDeclare},
    {"switch", "D has if and else, and ?: in expressions"},
    {"return", "a clause ends at its }: use a predicate or if to leave out the rest"},
    {"goto", "D has if and else, and ?: in expressions"},
    {"let", "an assignment creates a variable: this->x = 1"},
};

/// What people write that is not D: the token that is one too many, the word or character before it, and what to write.
/// Empty: any.
struct SyntaxMistake {
  std::string_view before, at, advice;
};
constexpr SyntaxMistake kSyntaxMistakes[] = {
    {"", "and", "D's and is &&"},
    {"", "or", "D's or is ||"},
    {"not", "", "D's not is !"},
    {"", "#", "comments are /* like this */ or // to the end of the line"},
    {"if", "", "write the condition of if in parentheses: if (...)"},
    {"while", "", "write the condition of while in parentheses: while (...)"},
    {".", "\"", "+ joins strings"},
};

/// "sys_enter_open" of the group "syscalls" is an entry.
std::string tracepoint(std::string_view group, std::string_view name) {
  constexpr std::string_view kEnter = "sys_enter_", kExit = "sys_exit_";
  if (group != "syscalls") return fmt::format("sdt:{}::{}", group, name);
  if (name.starts_with(kEnter)) return fmt::format("syscall::{}:entry", name.substr(kEnter.size()));
  if (name.starts_with(kExit)) return fmt::format("syscall::{}:return", name.substr(kExit.size()));
  return "syscall:::";
}

/// Programs and libraries whose provider has another name; by the beginning of the file's name.
constexpr Word kFileProviders[] = {
    {"postgres", "postgresql"}, {"mysqld", "mysql"},
    {"mariadbd", "mysql"},      {"libjvm", "hotspot"},
    {"python", "python"},       {"libpython", "python"},
    {"ruby", "ruby"},           {"libruby", "ruby"},
    {"node", "node"},           {"php", "php"},
    {"libphp", "php"},          {"perl", "perl"},
    {"libperl", "perl"},        {"libpthread", "libpthread"},
    {"libc.", "libc"},
};

/// Probes of "uprobe:/bin/bash:readline" and "uprobe:libc:malloc". A path says the file, so no process need be named.
std::string function_of_user(std::string_view file, std::string_view function, bool at_entry) {
  const std::string_view name = at_entry ? "entry" : "return";
  if (file.find('/') != std::string_view::npos) return fmt::format("pid*:{}:{}:{}", file, function, name);
  return fmt::format("pid$target::{}:{}, with -c or -p", function, name);
}

/// "usdt:/usr/bin/postgres:query__start" and "usdt:/usr/bin/postgres:postgresql:query__start". D's names have `-` where
/// those of the notes have two underscores.
std::string static_probe(std::string_view file, std::string_view provider, std::string_view note) {
  std::string name(note);
  for (size_t at = 0; (at = name.find("__", at)) != std::string::npos;) name.replace(at, 2, "-");
  if (provider.empty()) {
    const std::string_view base = file.substr(file.rfind('/') + 1);
    const auto *found =
        std::ranges::find_if(kFileProviders, [&](const Word &row) { return base.starts_with(row.theirs); });
    if (found != std::end(kFileProviders)) provider = found->ours;
  }
  return provider.empty() ? fmt::format("*:::{}, with -c or -p", name) : fmt::format("{}*:::{}", provider, name);
}

std::string clock(std::string_view provider, std::string_view unit, std::string_view number) {
  return fmt::format("{}-{}{}", provider, number, unit);
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Number of steps from one text to the other. A step inserts, deletes or changes a letter, or swaps two neighbours.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before.swap(row);
    row.swap(next);
  }
  return row[b.size()];
}

}  // namespace

std::string_view hint_for_word(std::string_view word) {
  const auto *found =
      std::find_if(std::begin(kWords), std::end(kWords), [&](const Word &w) { return w.theirs == word; });
  return found == std::end(kWords) ? std::string_view() : found->ours;
}

std::string_view hint_for_statement(std::string_view word) {
  const auto *found = std::ranges::find(kStatements, word, &Word::theirs);
  return found == std::end(kStatements) ? std::string_view() : found->ours;
}

std::string_view hint_for_syntax(std::string_view before, std::string_view at) {
  const auto *found = std::ranges::find_if(kSyntaxMistakes, [&](const SyntaxMistake &mistake) {
    const bool is_quote = mistake.at == "\"" && at.starts_with('"');
    return (mistake.before.empty() || mistake.before == before) && (mistake.at.empty() || is_quote || mistake.at == at);
  });
  return found == std::end(kSyntaxMistakes) ? std::string_view() : found->advice;
}

std::string_view hint_for_provider(std::string_view provider) {
  const auto *found = std::ranges::find(kProviders, provider, &Word::theirs);
  return found == std::end(kProviders) ? std::string_view() : found->ours;
}

std::string hint_for_probe(std::string_view text) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(':', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  const std::string_view kind = parts.size() > 1 ? parts.front() : std::string_view(), last = parts.back();
  if (parts.size() < 2) return {};
  const std::string_view middle = parts.size() > 2 ? parts[1] : std::string_view();
  const bool entry = kind == "kprobe" || kind == "kfunc" || kind == "fentry";
  const bool exit = kind == "kretprobe" || kind == "kretfunc" || kind == "fexit";
  if (entry || exit) return fmt::format("fbt::{}:{}", last, entry ? "entry" : "return");
  if (kind == "tracepoint") return tracepoint(middle, last);
  if (kind == "rawtracepoint") return fmt::format("rawtp:::{}", last);
  if (kind == "uprobe" || kind == "uretprobe") return function_of_user(middle, last, kind == "uprobe");
  if (kind == "usdt") return static_probe(middle, parts.size() > 3 ? parts[2] : std::string_view(), last);
  if (kind == "interval") return clock("tick", middle, last);
  if ((kind == "hardware" || kind == "software") && parts.size() == 3)
    return fmt::format("cpc:::{}-all-{}", middle, last);
  if (kind == "profile" && parts.size() == 3) return clock("profile", middle, last);
  return {};
}

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> names) {
  constexpr size_t kLongest = 64;
  if (name.size() < 2 || name.size() > kLongest) return {};
  size_t least = std::max<size_t>(1, name.size() / 4) + 1;
  std::string_view nearest;
  for (const std::string_view candidate : names) {
    if (candidate != name && std::ranges::equal(candidate, name, {}, lower, lower)) return candidate;
    const size_t longer = std::max(candidate.size(), name.size()), shorter = std::min(candidate.size(), name.size());
    if (longer - shorter >= least + 1 || candidate == nearest) continue;
    const size_t steps = distance(name, candidate);
    if (steps > least || (steps == least && nearest.empty())) continue;
    nearest = steps < least ? candidate : std::string_view();
    least = steps;
  }
  return nearest;
}

std::string_view nearest_option(std::string_view name) {
  std::array<std::string_view, static_cast<size_t>(Opt::kCount)> names;
  for (size_t i = 0; i < names.size(); ++i) names[i] = option_name(static_cast<Opt>(i));
  return std::find(names.begin(), names.end(), name) == names.end() ? nearest_name(name, names) : std::string_view();
}

}  // namespace dtrace
