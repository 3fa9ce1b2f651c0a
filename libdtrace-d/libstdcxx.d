/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libstdcxx.d - arguments of the probes in GNU's C++ library, which report exceptions: the object, and its
 * std::type_info.
 */
provider libstdcxx {
	probe throw(void *object, void *type);
	probe catch(void *object, void *type);
	probe rethrow(void *object, void *type);
};
