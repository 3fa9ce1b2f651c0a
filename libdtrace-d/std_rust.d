/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types of the Rust standard library: members for &str, String, slices and Vec.
 *
 *   text         &str, String: also what stringof() and print() give
 *   ptr, len     all
 *   capacity     String, Vec
 *
 * A length that is greater than the capacity is a fault.
 */

inline int __dt_no_value = *(char *)NULL;

translator < "&str", "&mut str", "alloc::boxed::Box<str>" S > {
	ptr = S.data_ptr;
	len = S.length;
	text = copyinstr((uintptr_t)S.data_ptr, S.length);
};

translator < "&[*]", "&mut [*]", "alloc::boxed::Box<[*]>" S > {
	ptr = S.data_ptr;
	len = S.length;
};

translator < "alloc::string::String" S > {
	ptr = S.vec.ptr;
	capacity = S.vec.capacity;
	len = (S.vec.len <= S.vec.capacity || __dt_no_value, S.vec.len);
	text = copyinstr((uintptr_t)S.vec.ptr, S.len);
};

/* Since Rust 1.82 the memory is kept without the type of the elements. */
translator < "alloc::vec::Vec<*>" V > {
	ptr = (T *)V.buf.inner.ptr.pointer.pointer;
	capacity = V.buf.inner.cap.__0;
};

translator < "alloc::vec::Vec<*>" V > {
	ptr = (T *)V.buf.ptr.pointer.pointer;
	capacity = V.buf.cap.__0;
};

translator < "alloc::vec::Vec<*>" V > {
	ptr = (T *)V.buf.ptr.pointer;
	capacity = V.buf.cap;
};
