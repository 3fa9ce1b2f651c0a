/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libvirt.d - arguments of the probes in libvirt's library, its daemons and the QEMU driver.
 */
provider libvirt {
	probe object_new(void *object, const char *class);
	probe object_ref(void *object);
	probe object_unref(void *object);
	probe object_dispose(void *object);

	probe event_poll_add_handle(int watch, int fd, int events, void *callback, void *opaque, void *free);
	probe event_poll_update_handle(int watch, int events);
	probe event_poll_remove_handle(int watch);
	probe event_poll_dispatch_handle(int watch, int events);
	probe event_poll_purge_handle(int watch);
	probe event_poll_add_timeout(int timer, int ms, void *callback, void *opaque, void *free);
	probe event_poll_update_timeout(int timer, int ms);
	probe event_poll_remove_timeout(int timer);
	probe event_poll_dispatch_timeout(int timer);
	probe event_poll_purge_timeout(int timer);
	probe event_poll_run(int handles, int ms);

	/* Since version 6.2, in place of those above. */
	probe event_glib_add_handle(int watch, int fd, int events, void *callback, void *opaque, void *free);
	probe event_glib_update_handle(int watch, int events);
	probe event_glib_remove_handle(int watch);
	probe event_glib_remove_handle_idle(int watch, void *free, void *opaque);
	probe event_glib_dispatch_handle(int watch, int events, void *callback, void *opaque);
	probe event_glib_add_timeout(int timer, int ms, void *callback, void *opaque, void *free);
	probe event_glib_update_timeout(int timer, int ms);
	probe event_glib_remove_timeout(int timer);
	probe event_glib_remove_timeout_idle(int timer, void *free, void *opaque);
	probe event_glib_dispatch_timeout(int timer, void *callback, void *opaque);

	probe rpc_socket_new(void *socket, int fd, int error_fd, pid_t pid, const char *local, const char *remote);
	probe rpc_socket_dispose(void *socket);
	probe rpc_socket_send_fd(void *socket, int fd);
	probe rpc_socket_recv_fd(void *socket, int fd);
	probe rpc_client_new(void *client, void *socket);
	probe rpc_client_dispose(void *client);
	probe rpc_client_msg_tx_queue(void *client, int length, int program, int version, int procedure, int type, int status,
	    int serial);
	probe rpc_client_msg_rx(void *client, int length, int program, int version, int procedure, int type, int status,
	    int serial);
	probe rpc_server_client_new(void *client, void *socket);
	probe rpc_server_client_dispose(void *client);
	probe rpc_server_client_msg_tx_queue(void *client, int length, int program, int version, int procedure, int type,
	    int status, int serial);
	probe rpc_server_client_msg_rx(void *client, int length, int program, int version, int procedure, int type, int status,
	    int serial);
	probe rpc_server_client_auth_allow(void *client, int type, const char *identity);
	probe rpc_server_client_auth_deny(void *client, int type, const char *identity);
	probe rpc_server_client_auth_fail(void *client, int type);
	probe rpc_tls_context_new(void *context, const char *ca, const char *crl, const char *certificate, const char *key,
	    int check, int require, int server);
	probe rpc_tls_context_dispose(void *context);
	probe rpc_tls_context_session_allow(void *context, void *session, const char *name);
	probe rpc_tls_context_session_deny(void *context, void *session, const char *name);
	probe rpc_tls_context_session_fail(void *context, void *session);
	probe rpc_tls_session_new(void *session, void *context, const char *host, int server);
	probe rpc_tls_session_dispose(void *session);
	probe rpc_tls_session_handshake_pass(void *session);
	probe rpc_tls_session_handshake_fail(void *session);
	probe rpc_keepalive_new(void *keepalive, void *client);
	probe rpc_keepalive_dispose(void *keepalive);
	probe rpc_keepalive_start(void *keepalive, void *client, int interval, int count);
	probe rpc_keepalive_stop(void *keepalive, void *client);
	probe rpc_keepalive_send(void *keepalive, void *client, int program, int version, int procedure);
	probe rpc_keepalive_received(void *keepalive, void *client, int program, int version, int procedure);
	probe rpc_keepalive_timeout(void *keepalive, void *client, int remaining, int idle);

	probe qemu_monitor_new(void *monitor, int fd);
	probe qemu_monitor_ref(void *monitor);
	probe qemu_monitor_unref(void *monitor);
	probe qemu_monitor_close(void *monitor);
	probe qemu_monitor_send_msg(void *monitor, const char *message, int fd);
	probe qemu_monitor_recv_reply(void *monitor, const char *reply);
	probe qemu_monitor_recv_event(void *monitor, const char *event);
	probe qemu_monitor_io_process(void *monitor, const char *data, unsigned int length);
	probe qemu_monitor_io_read(void *monitor, const char *data, unsigned int length, int result, int error);
	probe qemu_monitor_io_write(void *monitor, const char *data, unsigned int length, int result, int error);
	probe qemu_monitor_io_send_fd(void *monitor, int fd, int result, int error);
};
