// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "usdt/byte_writer.h"
#include "usdt/note_dtrace.h"

using namespace dtrace;
using namespace dtrace::usdt;

namespace {

Provider shop() {
  Provider provider;
  provider.name = "shop";
  provider.attributes.name = {Stability::kEvolving, Stability::kEvolving, DependencyClass::kCommon};
  usdt::Probe probe;
  probe.name = "sale__done";
  probe.native = {{"int", "cents"}, {"item_t *", ""}};
  probe.is_translated = true;
  probe.translated = {{"iteminfo_t *", "i", 1}};
  provider.probes = {probe};
  provider.definitions = {"typedef struct { int a; int b; } item_t;"};
  return provider;
}

std::string bytes_of(const Provider &provider, bool big_endian = false) {
  ByteWriter writer(big_endian);
  write_provider_note(provider, writer);
  return writer.take();
}

using namespace std::string_literals;

}  // namespace

TEST_CASE("a provider note, byte by byte", "[note]") {
  const std::string attributes =
      "\x01\x01\x00\x01\x01\x00\x01\x01\x00\x05\x05\x05\x01\x01\x00\x00"s;  // five parts and the zero byte
  const std::string probe =
      "\x01\x00\x02\x00\x01\x00"s
      "sale__done\0"
      "int\0cents\0item_t *\0\0"
      "iteminfo_t *\0i\0\x01\x00"s;
  const std::string definition = "typedef struct { int a; int b; } item_t;\0"s;
  std::string descriptor = "\x01\x00\x00\x00"s + attributes + "shop\0"s;
  descriptor += "\x01\x00"s + static_cast<char>(probe.size()) + '\0' + probe;
  descriptor += "\x02\x00"s + static_cast<char>(definition.size()) + '\0' + definition;
  std::string note = "\x07\x00\x00\x00"s + static_cast<char>(descriptor.size()) + "\0\0\0\x01\0\0\0dtrace\0\0"s;
  note += descriptor;
  while (note.size() % 4 != 0) note += '\0';
  CHECK(bytes_of(shop()) == note);
}

TEST_CASE("numbers of a note follow the byte order", "[note]") {
  const std::string note = bytes_of(shop(), true);
  CHECK(note.substr(0, 4) == "\0\0\0\x07"s);
  CHECK(note.substr(8, 4) == "\0\0\0\x01"s);
  CHECK(note.size() == bytes_of(shop()).size());
}

TEST_CASE("the signature is that of the content", "[note]") {
  Provider other = shop();
  CHECK(note_signature(shop()) == note_signature(other));
  other.probes[0].native[0].type = "long";
  CHECK(note_signature(shop()) != note_signature(other));
}

TEST_CASE("a record has 16 bits for its length", "[note]") {
  Provider provider = shop();
  CHECK(first_oversized_probe(provider).empty());
  provider.probes[0].native[0].type.assign(70000, 'x');
  CHECK(first_oversized_probe(provider) == "sale__done");
  provider = shop();
  provider.definitions = {std::string(70000, 'y'), "struct s { int a; int b; };"};
  CHECK(bytes_of(provider).find("yyyy") == std::string::npos);
  CHECK(bytes_of(provider).find("struct s") != std::string::npos);
}
