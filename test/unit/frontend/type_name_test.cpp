// SPDX-License-Identifier: Apache-2.0
// Spellings of the names of C++ and Rust types: one for all compilers, patterns, the end of template arguments.
#include "frontend/text/type_name.h"

#include <catch2/catch.hpp>

using namespace dtrace;

TEST_CASE("type names: one spelling") {
  CHECK(canonical_type_name("shop::Item") == "shop::Item");
  CHECK(canonical_type_name("Box<long int>") == "Box<long>");
  CHECK(canonical_type_name("Box<long unsigned int>") == "Box<unsigned long>");
  CHECK(canonical_type_name("Box<unsigned long>") == "Box<unsigned long>");
  CHECK(canonical_type_name("Box<unsigned>") == "Box<unsigned int>");
  CHECK(canonical_type_name("Box<short int>") == "Box<short>");
  CHECK(canonical_type_name("Box< const char * >") == "Box<const char*>");
  CHECK(canonical_type_name("Box<signed char>") == "Box<signed char>");
  CHECK(canonical_type_name("a::Box<std::pair<int, b::C<long int> > >::node") ==
        "a::Box<std::pair<int,b::C<long>>>::node");
  CHECK(canonical_type_name("Box<long, 3UL>") == "Box<long,3>");
  CHECK(canonical_type_name("&mut str") == "&mut str");
  CHECK(canonical_type_name("&[u16]") == "&[u16]");
  CHECK(canonical_type_name("integer") == "integer");
  CHECK(canonical_type_name("") == "");
}

TEST_CASE("type names: arguments with defaults are left out") {
  CHECK(canonical_type_name("std::vector<int, std::allocator<int> >") == "std::vector<int>");
  CHECK(canonical_type_name("std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >") ==
        "std::__cxx11::basic_string<char>");
  CHECK(canonical_type_name("std::vector<int, shop::Arena<int> >") == "std::vector<int,shop::Arena<int>>");
  CHECK(canonical_type_name("std::vector<std::vector<int, std::allocator<int> >, std::allocator<std::vector<int, "
                            "std::allocator<int> > > >") == "std::vector<std::vector<int>>");
  // Each of its arguments counts.
  CHECK(canonical_type_name("std::tuple<int, std::allocator<int> >") == "std::tuple<int,std::allocator<int>>");
  CHECK(canonical_type_name("alloc::vec::Vec<u8, alloc::alloc::Global>") == "alloc::vec::Vec<u8>");
}

TEST_CASE("type names: brackets that do not match do no harm") {
  for (const char *name : {"a<", "a>", "a<b", ">>>", "<<<<", "a<b)c>", "a,b", "(anonymous class)"})
    CHECK(!canonical_type_name(name).empty());
  CHECK(!canonical_type_name(std::string(5000, '<')).empty());
}

TEST_CASE("type names: the scope of a name") {
  using Parts = std::pair<std::string_view, std::string_view>;
  CHECK(split_type_name("a::b::c") == Parts{"a::b", "c"});
  CHECK(split_type_name("a::b<c::d>") == Parts{"a", "b<c::d>"});
  CHECK(split_type_name("a<b::c>::d") == Parts{"a<b::c>", "d"});
  CHECK(split_type_name("a") == Parts{"", "a"});
}

TEST_CASE("type names: patterns") {
  CHECK(type_name_matches("std::vector<*>", "std::vector<int>"));
  CHECK(type_name_matches("std::vector<*>", "std::vector<std::vector<int>,shop::Arena>"));
  CHECK_FALSE(type_name_matches("std::vector<*>", "std::vector<int>::node<int>"));
  CHECK_FALSE(type_name_matches("std::vector<*>", "my::std::vector<int>"));
  CHECK(type_name_matches("&[*]", "&[u16]"));
  CHECK(type_name_matches("std::map<*,int>", "std::map<a<b,c>,int>"));
  CHECK_FALSE(type_name_matches("&str", "&string"));
}

TEST_CASE("type names: where template arguments end") {
  CHECK(template_arguments_length("<int> *)") == 5);
  CHECK(template_arguments_length("<int>::node *)") == 11);
  CHECK(template_arguments_length("<a<b, 3>, c *>::d<e>)") == 20);
  CHECK(template_arguments_length("< 3)") == 0);
  CHECK(template_arguments_length("< b->c > d)") == 0);
  CHECK(template_arguments_length("int") == 0);
}
