// SPDX-License-Identifier: Apache-2.0
// Expressions. Every expectation is the program's text with all parentheses written out.
#include <catch2/catch.hpp>
#include <string>

#include "test/unit/frontend/parser_fixture.h"

using namespace dtrace;
using test::statement;

TEST_CASE("expressions: each binary operator binds tighter than the next and associates to the left") {
  const std::vector<std::vector<std::string>> levels = {
      {"*", "/", "%"}, {"+", "-"}, {"<<", ">>"}, {"<", ">", "<=", ">="}, {"==", "!="}, {"&"}, {"^"}, {"|"},
      {"&&"},          {"^^"},     {"||"}};
  for (size_t i = 0; i < levels.size(); ++i) {
    for (const std::string &op : levels[i]) {
      for (const std::string &same : levels[i]) {
        CHECK(statement(fmt::format("a {} b {} c", op, same)) == fmt::format("((a {} b) {} c)", op, same));
      }
      for (size_t j = i + 1; j < levels.size(); ++j) {
        for (const std::string &looser : levels[j]) {
          CHECK(statement(fmt::format("a {} b {} c", looser, op)) == fmt::format("(a {} (b {} c))", looser, op));
          CHECK(statement(fmt::format("a {} b {} c", op, looser)) == fmt::format("((a {} b) {} c)", op, looser));
        }
      }
    }
  }
}

TEST_CASE("expressions: assignment associates to the right and takes a unary target") {
  CHECK(statement("a = b = c") == "(a = (b = c))");
  for (const char *op : {"+", "-", "*", "/", "%", "&", "^", "|", "<<", ">>"}) {
    CHECK(statement(fmt::format("a {}= b {} c", op, op)) == fmt::format("(a {}= (b {} c))", op, op));
  }
  CHECK(statement("*p = 1") == "((*p) = 1)");
  CHECK(statement("a[1, 2] = b ? c : d") == "(a[1, 2] = (b ? c : d))");
  CHECK(statement("a, b = c, d") == "((a, (b = c)), d)");
  CHECK(statement("(a + b) = c") == "((a + b) = c)");
  CHECK(statement("a + b = c") == "D_SYNTAX 1:15+1 syntax error near \"=\"");
  CHECK(statement("a ? b : c = d") == "(a ? b : (c = d))");
  CHECK(statement("a ? b : c + 1 = d") == "D_SYNTAX 1:23+1 syntax error near \"=\"");
  CHECK(statement("(int)a = b") == "D_SYNTAX 1:16+1 syntax error near \"=\"");
}

TEST_CASE("expressions: the conditional operator") {
  CHECK(statement("a ? b : c ? d : e") == "(a ? b : (c ? d : e))");
  CHECK(statement("a ? b ? c : d : e") == "(a ? (b ? c : d) : e)");
  CHECK(statement("a || b ? c, d : e") == "((a || b) ? (c, d) : e)");
  CHECK(statement("x = a ? b = 1 : c") == "(x = (a ? (b = 1) : c))");
}

TEST_CASE("expressions: unary and postfix operators") {
  CHECK(statement("-a + +b - ~c * !d") == "(((-a) + (+b)) - ((~c) * (!d)))");
  CHECK(statement("-x++") == "(-(x++))");
  CHECK(statement("++x--") == "(++(x--))");
  CHECK(statement("*p++") == "(*(p++))");
  CHECK(statement("&a.b") == "(&a.b)");
  CHECK(statement("**p") == "(*(*p))");
  CHECK(statement("!!x") == "(!(!x))");
  CHECK(statement("- -x") == "(-(-x))");
  CHECK(statement("a->b.c[d]->e(f, g)[h, i]") == "a->b.c[d]->e(f, g)[h, i]");
  CHECK(statement("f()") == "f()");
  CHECK(statement("(f)(x)") == "f(x)");
  CHECK(statement("&`jiffies") == "(&`jiffies)");
  CHECK(statement("vmlinux`tick_stop_list.next") == "vmlinux`tick_stop_list.next");
}

TEST_CASE("expressions: member names may be any word") {
  CHECK(statement("a->string") == "a->string");
  CHECK(statement("a.self->this->probe.provider") == "a.self->this->probe.provider");
  CHECK(statement("a->uint_t") == "a->uint_t");
  CHECK(statement("self->translator") == "self->translator");
}

TEST_CASE("expressions: casts") {
  CHECK(statement("(int)a + b") == "(((int)a) + b)");
  CHECK(statement("(int)-a") == "((int)(-a))");
  CHECK(statement("(char *)(int)a->b") == "((char *)((int)a->b))");
  CHECK(statement("-(int)a") == "(-((int)a))");
  CHECK(statement("(uint_t)x") == "((uint_t)x)");
  CHECK(statement("(struct task_struct *)arg0") == "((struct task_struct *)arg0)");
  CHECK(statement("(const volatile unsigned long long)x") == "((const volatile unsigned long long)x)");
  CHECK(statement("(int (*)(int, char *))x") == "((int (*)(int, char *))x)");
  CHECK(statement("(int *[3])x") == "((int *[3])x)");
  CHECK(statement("(string)x") == "((string)x)");
  CHECK(statement("(userland char *)x") == "((userland char *)x)");
  CHECK(statement("((uint_t)x)") == "((uint_t)x)");
}

TEST_CASE("expressions: a name in parentheses is a type only if it names one and nothing says it is a variable") {
  CHECK(statement("(foo) + 1") == "(foo + 1)");
  CHECK(statement("(foo_t) + 1") == "((foo_t)(+1))");
  CHECK(statement("(counted_t) + 1") == "(counted_t + 1)");
  CHECK(statement("(foo_t = 1)") == "(foo_t = 1)");
  CHECK(statement("(foo_t++)") == "(foo_t++)");
  CHECK(statement("(foo_t[1])") == "foo_t[1]");
  CHECK(statement("(foo_t = 1), (foo_t) + 1") == "((foo_t = 1), (foo_t + 1))");
  CHECK(statement("(foo_t == 1)") == "D_SYNTAX 1:16+2 syntax error near \"==\"");
  CHECK(statement("foo_t = (foo_t) + 1") == "(foo_t = (foo_t + 1))");
}

TEST_CASE("expressions: sizeof, stringof, offsetof, xlate") {
  CHECK(statement("sizeof (int)") == "sizeof (int)");
  CHECK(statement("sizeof (int *) + 1") == "(sizeof (int *) + 1)");
  CHECK(statement("sizeof x + 1") == "((sizeof x) + 1)");
  CHECK(statement("sizeof (x) + 1") == "((sizeof x) + 1)");
  CHECK(statement("sizeof (x)->y") == "(sizeof x->y)");
  CHECK(statement("sizeof *p") == "(sizeof (*p))");
  CHECK(statement("sizeof (struct s)") == "sizeof (struct s)");
  CHECK(statement("stringof curthread->comm") == "(stringof curthread->comm)");
  CHECK(statement("stringof (a) == b") == "((stringof a) == b)");
  CHECK(statement("stringof (a)->b") == "(stringof a->b)");
  CHECK(statement("offsetof(struct s, m)") == "offsetof(struct s, m)");
  CHECK(statement("offsetof(foo_t, string)") == "offsetof(foo_t, string)");
  CHECK(statement("xlate <psinfo_t>(x).pr_pid") == "xlate <psinfo_t>(x).pr_pid");
  CHECK(statement("xlate <struct s *>(a, b)->m") == "xlate <struct s *>((a, b))->m");
}

TEST_CASE("expressions: primary expressions") {
  CHECK(statement("self->x") == "self->x");
  CHECK(statement("this->a[1]") == "this->a[1]");
  CHECK(statement("@") == "@_");
  CHECK(statement("@a[pid, \"x\"] = count()") == "(@a[pid, \"x\"] = count())");
  CHECK(statement("\"a\\tb\"") == "\"a\\tb\"");
  CHECK(statement("'a'") == "97");
  CHECK(statement("0x10ul") == "16ul");
  CHECK(statement("return(3)") == "return(3)");
  CHECK(statement("(1)") == "1");
}

TEST_CASE("expressions: expressions that are none") {
  CHECK(statement("a[]") == "D_SYNTAX 1:11+1 syntax error near \"]\"");
  CHECK(statement("f(a,)") == "D_SYNTAX 1:13+1 syntax error near \")\"");
  CHECK(statement("a b") == "D_SYNTAX 1:11+1 syntax error near \"b\"");
  CHECK(statement("\"a\" \"b\"") == "D_SYNTAX 1:13+3 syntax error near \"b\"");
  CHECK(statement("self") == "D_SYNTAX 1:13+1 syntax error near \";\"");
  CHECK(statement("self.x") == "D_SYNTAX 1:13+1 syntax error near \".\"");
  CHECK(statement("a->1") == "D_SYNTAX 1:12+1 syntax error near \"1\"");
  CHECK(statement("a ? b") == "D_SYNTAX 1:14+1 syntax error near \";\"");
  CHECK(statement("sizeof ()") == "D_SYNTAX 1:17+1 syntax error near \")\"");
  CHECK(statement("sizeof (int)x") == "D_SYNTAX 1:21+1 syntax error near \"x\"");
  CHECK(statement("offsetof(s, m)") == "D_SYNTAX 1:18+1 syntax error near \"s\"");
  CHECK(statement("while") == "D_SYNTAX 1:14+1 syntax error near \";\"");
  CHECK(statement("goto") == "D_SYNTAX 1:9+4 syntax error near \"goto\"");
  CHECK(statement("++(int)x") == "D_SYNTAX 1:12+3 syntax error near \"int\"");
  CHECK(statement("x = (a + b") == "D_SYNTAX 1:19+1 syntax error near \";\"");
}

TEST_CASE("expressions: spans are as narrow as the text they name") {
  test::Parse p;
  p.run("BEGIN { x = aa + b[c]; }");
  const auto *clause = p.external<ast::Clause>(0);
  REQUIRE(clause != nullptr);
  const ast::Expr *assign = std::get<const ast::Expr *>(clause->body[0]->node);
  CHECK(p.sources.text(assign->span) == "x = aa + b[c]");
  const auto &node = std::get<ast::Assign>(assign->node);
  CHECK(p.sources.text(node.op_span) == "=");
  CHECK(p.sources.text(node.value->span) == "aa + b[c]");
  const auto &sum = std::get<ast::Binary>(node.value->node);
  CHECK(p.sources.text(sum.op_span) == "+");
  CHECK(p.sources.text(sum.rhs->span) == "b[c]");
  CHECK(p.sources.text(clause->span) == "BEGIN { x = aa + b[c]; }");
}

TEST_CASE("expressions: a long table of conditionals is no deep nesting to the parser") {
  std::string text;
  for (int i = 0; i < 500; ++i) text += fmt::format("x == {} ? \"{}\" : ", i, i);
  CHECK(statement(text + "\"?\"").substr(0, 24) == "((x == 0) ? \"0\" : ((x ==");
}

TEST_CASE("expressions: names of C++ and Rust types") {
  CHECK(statement("((shop::Item *)p)->id") == "((shop::Item *)p)->id");
  CHECK(statement("(a::Kind)x + 1") == "(((a::Kind)x) + 1)");
  CHECK(statement("(a::kRed) + 1") == "(a::kRed + 1)");
  CHECK(statement("sizeof (a::B<int>) < 3") == "(sizeof (a::B<int>) < 3)");
  CHECK(statement("((struct a::B<c, 2>::D *)p)->x") == "((struct a::B<c, 2>::D *)p)->x");
  CHECK(statement("(B<int> *)p") == "((B<int> *)p)");
  CHECK(statement("(a < b) > c") == "((a < b) > c)");
  CHECK(statement("x ? a::b : c") == "(x ? a::b : c)");
}
