/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Classes of the C++ standard library: members for std::string, string_view, vector, optional, unique_ptr and shared_ptr
 * of GNU's library (libstdc++) and LLVM's (libc++).
 *
 *   text              string, string_view: also what stringof() and print() give
 *   data, size        string, string_view, vector
 *   capacity          string, vector
 *   has_value, value  optional; the value of an empty one is a fault
 *   get               unique_ptr, shared_ptr: the pointer
 *   use_count         shared_ptr; 0 if it owns nothing
 *
 * A size that contradicts what else the object holds is a fault: the object is not made yet, or no longer is one.
 */

inline int __dt_no_object = *(char *)NULL;

/* ---- libstdc++ ---- */

/* clang describes only the name of std::string, so its layout is stated here. */
struct __dt_cxx11_string {
	char *data;
	size_t size;
	union {
		char local[16];
		size_t capacity;
	};
};

translator < "std::__cxx11::basic_string<char>", "std::__cxx11::basic_string<char,std::char_traits<char>,*>" S > {
	data = ((struct __dt_cxx11_string *)&S)->data;
	capacity = (uintptr_t)((struct __dt_cxx11_string *)&S)->data == (uintptr_t)&((struct __dt_cxx11_string *)&S)->local ?
	    15 : ((struct __dt_cxx11_string *)&S)->capacity;
	size = (((struct __dt_cxx11_string *)&S)->size <= S.capacity || __dt_no_object,
	    ((struct __dt_cxx11_string *)&S)->size);
	text = copyinstr((uintptr_t)S.data, S.size);
};

/* Before C++11's string (_GLIBCXX_USE_CXX11_ABI=0): the object is a pointer to the text, behind its length and capacity. */
struct __dt_cow_string {
	size_t *data;
};

translator < "std::basic_string<char>" S > {
	data = (char *)((struct __dt_cow_string *)&S)->data;
	capacity = ((struct __dt_cow_string *)&S)->data[-2];
	size = (((struct __dt_cow_string *)&S)->data[-3] <= S.capacity || __dt_no_object,
	    ((struct __dt_cow_string *)&S)->data[-3]);
	text = copyinstr((uintptr_t)S.data, S.size);
};

translator < "std::basic_string_view<char>" S > {
	data = S._M_str;
	size = S._M_len;
	text = copyinstr((uintptr_t)S._M_str, S._M_len);
};

translator < "std::vector<bool>" V > {
	data = V._M_impl._M_start._M_p;
	size = (V._M_impl._M_finish._M_p - V._M_impl._M_start._M_p) * 64 + V._M_impl._M_finish._M_offset;
	capacity = (V._M_impl._M_end_of_storage - V._M_impl._M_start._M_p) * 64;
};

translator < "std::vector<*>" V > {
	data = V._M_impl._M_start;
	size = ((uintptr_t)V._M_impl._M_start <= (uintptr_t)V._M_impl._M_finish &&
	    (uintptr_t)V._M_impl._M_finish <= (uintptr_t)V._M_impl._M_end_of_storage || __dt_no_object,
	    (size_t)(V._M_impl._M_finish - V._M_impl._M_start));
	capacity = (size_t)(V._M_impl._M_end_of_storage - V._M_impl._M_start);
};

translator < "std::optional<*>" O > {
	has_value = (int)O._M_payload._M_engaged;
	value = (O._M_payload._M_engaged || __dt_no_object, O._M_payload._M_payload._M_value);
};

translator < "std::unique_ptr<*>" P > {
	get = P._M_t._M_t._M_head_impl;
};

translator < "std::shared_ptr<*>" P > {
	get = P._M_ptr;
	use_count = (uintptr_t)P._M_refcount._M_pi == 0 ? 0 : P._M_refcount._M_pi->_M_use_count;
};

/* ---- libc++ ---- */

/* The lowest bit of the first byte says which. */
struct __dt_libcxx_string {
	union {
		struct {
			size_t capacity;
			size_t size;
			char *data;
		} long_text;
		struct {
			unsigned char size;
			char data[23];
		} short_text;
	};
};

translator < "std::__1::basic_string<char>", "std::__1::basic_string<char,std::__1::char_traits<char>,*>" S > {
	data = ((struct __dt_libcxx_string *)&S)->short_text.size & 1 ?
	    (uintptr_t)((struct __dt_libcxx_string *)&S)->long_text.data :
	    (uintptr_t)&((struct __dt_libcxx_string *)&S)->short_text.data;
	capacity = ((struct __dt_libcxx_string *)&S)->short_text.size & 1 ?
	    (((struct __dt_libcxx_string *)&S)->long_text.capacity & ~1UL) - 1 : 22;
	size = ((((struct __dt_libcxx_string *)&S)->short_text.size & 1 ?
	    ((struct __dt_libcxx_string *)&S)->long_text.size :
	    ((struct __dt_libcxx_string *)&S)->short_text.size >> 1) <= S.capacity || __dt_no_object,
	    ((struct __dt_libcxx_string *)&S)->short_text.size & 1 ?
	    ((struct __dt_libcxx_string *)&S)->long_text.size :
	    ((struct __dt_libcxx_string *)&S)->short_text.size >> 1);
	text = copyinstr(S.data, S.size);
};

translator < "std::__1::basic_string_view<char>", "std::__1::basic_string_view<char,*>" S > {
	data = S.__data_;
	size = S.__size_;
	text = copyinstr((uintptr_t)S.__data_, S.__size_);
};

translator < "std::__1::vector<*>" V > {
	data = V.__begin_;
	size = ((uintptr_t)V.__begin_ <= (uintptr_t)V.__end_ || __dt_no_object, (size_t)(V.__end_ - V.__begin_));
};

translator < "std::__1::optional<*>" O > {
	has_value = (int)O.__engaged_;
	value = (O.__engaged_ || __dt_no_object, O.__val_);
};

translator < "std::__1::unique_ptr<*>" P > {
	get = &*P.__ptr_;
};

/* Up to version 18 the pointer and the deleter are a pair. */
translator < "std::__1::unique_ptr<*>" P > {
	get = P.__ptr_.__value_;
};

struct __dt_libcxx_owners {
	void *functions;
	long others;
};

translator < "std::__1::shared_ptr<*>" P > {
	get = P.__ptr_;
	use_count = (uintptr_t)P.__cntrl_ == 0 ? 0 : ((struct __dt_libcxx_owners *)P.__cntrl_)->others + 1;
};
