/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sssd.d - arguments of the probes in SSSD: its data provider, its LDAP searches and the transactions of its cache.
 * Probes that are not here have no arguments.
 */
provider sssd {
	probe dp_req_send(const char *domain, const char *request, int target, int method);
	probe dp_req_done(const char *request, int target, int method, int result, const char *error);

	probe sysdb_transaction_start(int nesting);
	probe sysdb_transaction_commit_before(int nesting);
	probe sysdb_transaction_commit_after(int nesting);
	probe sysdb_transaction_cancel(int nesting);

	probe sdap_acct_req_send(int entry, int filter, char *value, char *extra);
	probe sdap_acct_req_recv(int entry, int filter, char *value, char *extra);
	probe sdap_search_user_send(const char *filter);
	probe sdap_search_user_save_begin(const char *filter);
	probe sdap_search_user_save_end(const char *filter);
	probe sdap_search_user_recv(const char *filter);
	probe sdap_get_generic_ext_send(const char *base, int scope, const char *filter, const char **attributes);
	probe sdap_get_generic_ext_recv(const char *base, int scope, const char *filter);
	probe sdap_parse_entry(const char *attribute, const char *value, int length);
	probe sdap_parse_entry_done();
	probe sdap_deref_search_send(const char *base, const char *attribute);
	probe sdap_deref_search_recv(const char *base, const char *attribute);
	probe sdap_nested_group_process_send(const char *group);
	probe sdap_nested_group_process_recv(const char *group);
};
