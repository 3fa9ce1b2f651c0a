// SPDX-License-Identifier: Apache-2.0
#include "codegen/planning/questions.h"

#include <algorithm>
#include <cstdlib>

namespace dtrace::codegen {

std::optional<uint32_t> member_offset(const TypeTable &types, const std::string &structure, std::string_view member) {
  std::optional<TypeId> at = types.find(TagKind::kStruct, structure, "vmlinux");
  uint64_t off_bits = 0;
  for (size_t begin = 0; at && begin <= member.size();) {
    const size_t end = std::min(member.find('.', begin), member.size());
    const std::optional<FoundMember> part = types.find_member(*at, member.substr(begin, end - begin));
    if (!part) return std::nullopt;
    off_bits += part->off_bits;
    at = part->member.type;
    begin = end + 1;
  }
  if (!at) return std::nullopt;
  return static_cast<uint32_t>(off_bits / 8);
}

namespace {

void append(std::string &text, std::string_view word) {
  text += std::to_string(word.size());
  text += ':';
  text += word;
}

std::string answer(const Question &question, CompileHost &host, const TypeTable &types) {
  switch (question.kind) {
    case Question::Kind::kMember: {
      const std::optional<uint32_t> offset = member_offset(types, question.outer, question.inner);
      return offset ? std::to_string(*offset) : "none";
    }
    case Question::Kind::kProbe: {
      const Probe &probe = host.probe(ProbeId{question.number});
      std::string text = std::to_string(probe.id.value);
      for (const std::string *part : {&probe.provider, &probe.module, &probe.function, &probe.name})
        append(text, *part);
      return text;
    }
    case Question::Kind::kShownFunction:
      return host.shown_function(ProbeId{question.number});
    case Question::Kind::kFeature:
      return host.has(static_cast<KernelFeature>(question.number)) ? "yes" : "no";
    case Question::Kind::kPidNamespace:
      return std::to_string(host.pid_namespace());
  }
  std::abort();
}

}  // namespace

std::string answers(const Questions &questions, CompileHost &host, const TypeTable &types) {
  std::string all;
  for (const Question &question : questions) append(all, answer(question, host, types));
  return all;
}

const Probe &AskedHost::probe(ProbeId id) {
  asked_.insert({Question::Kind::kProbe, id.value});
  return host_.probe(id);
}

const std::string &AskedHost::shown_function(ProbeId id) {
  asked_.insert({Question::Kind::kShownFunction, id.value});
  return host_.shown_function(id);
}

uint32_t AskedHost::pid_namespace() {
  asked_.insert({Question::Kind::kPidNamespace});
  return host_.pid_namespace();
}

bool AskedHost::has(KernelFeature feature) {
  asked_.insert({Question::Kind::kFeature, static_cast<uint32_t>(feature)});
  return host_.has(feature);
}

const ProbeHook &AskedHost::hook(ProbeId) { std::abort(); }
const ProbeHook *AskedHost::hook_at_function(ProbeId) { std::abort(); }
std::vector<ProbeHook> AskedHost::later(const ProbeDesc &) { std::abort(); }

}  // namespace dtrace::codegen
