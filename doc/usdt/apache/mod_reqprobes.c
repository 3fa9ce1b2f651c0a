/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A module for Apache's httpd 2.4 with two probes, as one would write it for any system that has DTrace: a request has
 * been read, and a request is done. What it costs to describe a request is only paid while somebody looks.
 */
#include <httpd.h>
#include <http_config.h>
#include <http_core.h>
#include <http_protocol.h>
#include <http_request.h>

#include "httpd_probes.h"

/* What httpd.d takes apart. */
typedef struct reqprobe {
	const char *method;
	const char *uri;
	const char *agent;
	const char *local;
	const char *remote;
	apr_uint64_t bytes;
	apr_uint32_t status;
} reqprobe_t;

static const char *or_empty(const char *text)
{
	return text != NULL ? text : "";
}

static void describe(const request_rec *r, reqprobe_t *probe)
{
	probe->method = or_empty(r->method);
	probe->uri = or_empty(r->uri);
	probe->agent = or_empty(apr_table_get(r->headers_in, "User-Agent"));
	probe->local = or_empty(r->connection->local_ip);
	probe->remote = or_empty(r->useragent_ip);
	probe->bytes = 0;
	probe->status = 0;
}

static int request_read(request_rec *r)
{
	if (HTTPD_REQUEST_START_ENABLED()) {
		reqprobe_t probe;

		describe(r, &probe);
		HTTPD_REQUEST_START(&probe);
	}
	return DECLINED;
}

static int request_logged(request_rec *r)
{
	if (HTTPD_REQUEST_DONE_ENABLED()) {
		reqprobe_t probe;

		describe(r, &probe);
		probe.bytes = (apr_uint64_t)r->bytes_sent;
		probe.status = (apr_uint32_t)r->status;
		HTTPD_REQUEST_DONE(&probe);
	}
	return DECLINED;
}

static void register_hooks(apr_pool_t *pool)
{
	(void)pool;
	ap_hook_post_read_request(request_read, NULL, NULL, APR_HOOK_FIRST);
	ap_hook_log_transaction(request_logged, NULL, NULL, APR_HOOK_MIDDLE);
}

module AP_MODULE_DECLARE_DATA reqprobes_module = {
	STANDARD20_MODULE_STUFF, NULL, NULL, NULL, NULL, NULL, register_hooks, 0,
};
