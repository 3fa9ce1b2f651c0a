// SPDX-License-Identifier: Apache-2.0
// D types: C's, plus string, stack and symbol values. Types are interned: equal ids are identical types, and a TypeId
// stays valid for the life of its TypeTable. Kernel types are converted from BTF on first use, members on first access.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dtrace {

/// Index into a TypeTable. 0 is the poison type: the type of an expression whose error was already reported.
struct TypeId {
  uint32_t value = 0;
  friend bool operator==(TypeId, TypeId) = default;
  explicit operator bool() const { return value != 0; }
};
inline constexpr TypeId kPoison{};

enum class TypeKind : uint8_t {
  kPoison,
  kVoid,
  kInt,  ///< also _Bool; see Type::is_signed, is_bool, is_char
  kFloat,
  kEnum,
  kPointer,
  kArray,
  kStruct,
  kUnion,
  kForward,  ///< `struct x;` not completed anywhere we know
  kTypedef,
  kQualified,  ///< const/volatile/restrict; see Type::qualifiers
  kFunction,
  kString,  ///< the D type string: strsize bytes
  kStack,   ///< value of stack()/ustack(): D name dt_stack_t
  kSymbol,  ///< value of sym() and its like: D names _symaddr (8 bytes), _usymaddr (16)
};

/// Where a pointer points. Decided at compile time and carried in the pointer's type; it chooses the read helper.
enum class Space : uint8_t {
  kKernel,   ///< default: fault-checked kernel read
  kUser,     ///< marked `userland`, arguments of system calls, ...
  kScratch,  ///< alloca(), copyin(): BPF memory of this clause; writable
};

struct Member {
  std::string_view name;  ///< empty for anonymous struct/union members
  TypeId type;
  uint64_t off_bits = 0;  ///< from the start of the aggregate
  uint32_t bits = 0;      ///< width of a bit-field; 0 for an ordinary member
};

struct Enumerator {
  std::string_view name;
  int64_t value;
};

enum Qualifiers : uint8_t { kConst = 1, kVolatile = 2, kRestrict = 4, kUserland = 8 };

/// Which tag name space a name is looked up in.
enum class TagKind : uint8_t { kOrdinary, kStruct, kUnion, kEnum };

/// One type. Sizes and alignments of types that contain others are asked from TypeTable, not read here: a forward tag
/// may be completed and strsize set after a type was made of them.
struct Type {
  TypeKind kind = TypeKind::kPoison;
  bool is_signed = false;
  bool is_bool = false;
  bool is_char = false;              ///< plain, signed or unsigned char
  bool variadic = false;             ///< functions
  uint8_t qualifiers = 0;            ///< kQualified
  Space space = Space::kKernel;      ///< kPointer
  TagKind tag = TagKind::kOrdinary;  ///< kStruct, kUnion, kEnum, kForward: the keyword
  uint64_t size_bytes = 0;           ///< base types, pointers, enums, structs, unions; else ask TypeTable::size_bytes()
  uint32_t align_bytes = 1;          ///< likewise; kernel structs: ask TypeTable::align_bytes()
  uint64_t count = 0;                ///< kArray: number of elements
  TypeId target;                     ///< pointee, element, typedef'd, qualified, return type; kInt: see held()
  std::string_view name;             ///< tag or typedef or base name; empty if anonymous
  std::string_view module;           ///< "vmlinux", a module, "D", "C"; empty for base types
};

/// A found member: `path` walks through anonymous members; off_bits is from the outermost aggregate.
struct FoundMember {
  Member member;
  uint64_t off_bits;
};

class BtfIndex;
class UserTypes;

class TypeTable {
 public:
  explicit TypeTable(uint64_t strsize = 256);
  ~TypeTable();
  TypeTable(const TypeTable &) = delete;
  TypeTable &operator=(const TypeTable &) = delete;

  // --- base types (LP64). `name` is exactly the C spelling.
  TypeId void_type() const;
  TypeId bool_type() const;
  TypeId char_type() const;  ///< plain char: signed, whatever the machine's compilers do
  TypeId integer(uint64_t size_bytes, bool is_signed) const;  ///< char/short/int/long by size
  TypeId int_type() const { return integer(4, true); }
  TypeId long_type() const { return integer(8, true); }
  TypeId ulong_type() const { return integer(8, false); }
  TypeId long_long(bool is_signed) const;
  TypeId floating(uint64_t size_bytes) const;  ///< 4, 8, 16
  /// A floating-point type of 16 bytes that is not `long double`: IEEE 754's binary128 (_Float128).
  bool is_quad_float(TypeId id) const;
  TypeId string_type() const;             ///< strsize bytes
  TypeId string_of(uint64_t size_bytes);  ///< a string known to need only `size_bytes` with its NUL
  TypeId stack_type() const;
  TypeId symbol_type(bool user) const;

  // --- constructors: interned
  TypeId pointer_to(TypeId target, Space space = Space::kKernel);
  TypeId array_of(TypeId element, uint64_t count);
  TypeId qualified(TypeId target, uint8_t qualifiers);
  TypeId function(TypeId result, std::span<const TypeId> params, bool variadic);
  /// Type of an undeclared variable whose first value has the integer type `first`: called and checked as that, but of
  /// 64 bits. Types of 64 bits are their own.
  TypeId held(TypeId first);

  // --- definitions made by D programs; the caller has checked for redefinition
  TypeId define_typedef(std::string_view name, TypeId target, std::string_view module = "D");
  TypeId declare_tag(TagKind kind, std::string_view name,
                     std::string_view module = "D");  ///< forward, or the known one
  struct NewMember {
    std::string name;
    TypeId type;
    uint32_t bits = 0;         ///< bit-field width
    bool is_bitfield = false;  ///< true with bits == 0: zero-width separator
  };
  /// Lays out and completes `tag` (from declare_tag; or an anonymous one if name was empty) by the C ABI. Types made of
  /// the forward tag before see it completed.
  void complete_struct(TypeId tag, std::span<const NewMember> members);
  void complete_enum(TypeId tag, std::span<const Enumerator> enumerators);

  // --- kernel types
  /// Adds a BTF source searched after D and C types; the first added is vmlinux. Not owned.
  void add_btf(const BtfIndex *btf);
  /// Gives BTF of a module by its name, or with an empty name of every loaded module; asked when a module scope or a
  /// tag is not known yet. The indexes are not owned and live as long as the table.
  void set_module_loader(std::function<std::vector<const BtfIndex *>(std::string_view module)> loader);
  /// The D type of a BTF type; void for ids that BTF does not have. Functions and variables give their own type, type
  /// and declaration tags what they decorate.
  TypeId from_btf(const BtfIndex &btf, uint32_t btf_id);

  // --- types of user programs
  /// The D type of a type of a user program's file, which is not owned and lives as long as the table.
  TypeId from_user(UserTypes &file, uint32_t id);
  /// Says which user program's types names may mean: those of the file called `module`, or with an empty name of the
  /// file that the clause's probes are in. Null: there is none. An empty function ends that.
  using UserScopeFinder = std::function<UserTypes *(std::string_view module)>;
  void set_user_scope(UserScopeFinder finder);
  /// What find() gives, but of the user scope what D, C and D libraries do not define: for names that a program writes.
  /// The D library's own names and those of built-in types mean the kernel's, whatever is traced.
  std::optional<TypeId> find_with_user_scope(TagKind kind, std::string_view name) const;
  /// Enumerator of the scope's file, or of another one's: "mod`name".
  std::optional<std::pair<TypeId, int64_t>> find_user_enumerator(std::string_view name) const;
  /// The canonical name (text/type_name.h) of a user program's struct or union, with its namespaces; empty: it is none.
  std::string_view class_name(TypeId id) const;
  /// What a parameter of the template is in that class.
  std::optional<TypeId> template_argument(TypeId id, std::string_view name) const;
  /// Is it a type of a user program, or made of one?
  bool is_of_user(TypeId id) const;

  // --- lookup
  /// Type called `name` in D scope, C scope, then kernel BTF in order, then what the fallback defines; tags also in the
  /// BTF of every loaded module. With `module` non-empty ("D", "C", "vmlinux", a module) only there. "mod`name" is
  /// understood too. In "D" are DTrace's typedefs; those of other systems that we add (dev_t,
  /// hrtime_t, ...) count as D's only once used, so that a program may define its own.
  std::optional<TypeId> find(TagKind kind, std::string_view name, std::string_view module = {}) const;
  /// Quick test for the lexer: is `name` an ordinary type name (typedef or base type)? Changes nothing: what the
  /// fallback could define is not among them.
  bool is_type_name(std::string_view name) const;
  /// Lets the fallback define an ordinary type called `name`. False: it did not.
  bool load_type(std::string_view name);
  /// Searched when neither D, C nor kernel types have it (D library typedefs, loaded on demand). May define types, and
  /// then returns true. Not asked again for a name whose search is going on.
  void set_fallback(std::function<bool(TagKind, std::string_view)> fallback);
  /// Value and enum type of an enumerator of kernel or D enums.
  std::optional<std::pair<TypeId, int64_t>> find_enumerator(std::string_view name) const;

  // --- queries
  const Type &operator[](TypeId id) const;
  TypeId resolve(TypeId id) const;  ///< strips typedefs and qualifiers
  const Type &resolved(TypeId id) const { return (*this)[resolve(id)]; }
  std::span<const Member> members(TypeId id) const;  ///< of a (resolved) struct/union; converts lazily
  std::span<const Enumerator> enumerators(TypeId id) const;
  std::span<const TypeId> parameters(TypeId id) const;
  std::optional<FoundMember> find_member(TypeId id, std::string_view name) const;  ///< looks into anonymous members
  uint64_t size_bytes(TypeId id) const;
  uint32_t align_bytes(TypeId id) const;
  bool is_complete(TypeId id) const;
  bool is_userland(TypeId id) const;  ///< pointer into user space, by Space or qualifier
  /// Completes a forward tag by looking in every scope (D 2.4); the same id if nothing is found.
  TypeId complete(TypeId id) const;

  bool is_void(TypeId id) const { return resolved(id).kind == TypeKind::kVoid; }
  bool is_integer(TypeId id) const;  ///< integers and enums of at most 8 bytes; __int128 is none of D's
  bool is_pointer(TypeId id) const { return resolved(id).kind == TypeKind::kPointer; }
  bool is_array(TypeId id) const { return resolved(id).kind == TypeKind::kArray; }
  bool is_scalar(TypeId id) const { return is_integer(id) || is_pointer(id); }
  bool is_struct_or_union(TypeId id) const;
  bool is_string(TypeId id) const { return resolved(id).kind == TypeKind::kString; }
  bool is_char_array(TypeId id) const;
  bool is_char_pointer(TypeId id) const;
  bool is_string_like(TypeId id) const { return is_string(id) || is_char_array(id) || is_char_pointer(id); }
  bool is_signed(TypeId id) const;
  /// What held() made `id` of; else `id`.
  TypeId first_type(TypeId id) const;

  /// C/D spelling: "struct task_struct *", "char [16]", "string", "int (*)()", "struct" if anonymous; "userland " leads
  /// if the type itself is a pointer into user space.
  std::string name(TypeId id) const;
  uint64_t strsize() const;
  /// Changes the size of `string`: an option pragma; before any use of string sizes.
  void set_strsize(uint64_t strsize);
  /// Changes the size of `dt_stack_t`, a word and so many frames: option maxframes; before any use of its size.
  void set_stack_frames(uint64_t frames);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dtrace
