ruby:method-entry Evolving/Common; args[0]: userland char *; args[1]: userland char *; args[2]: userland char *; args[3]: int
ruby:array-create Evolving/Common; args[0]: long; args[1]: userland char *; args[2]: int
php:function-entry Evolving/Common; args[0]: userland char *; args[1]: userland char *; args[2]: int; args[3]: userland char *; args[4]: userland char *
libvirt:rpc_client_msg_rx Private/Unknown; args[0]: userland void *; args[1]: int; args[2]: int; args[3]: int; args[4]: int; args[5]: int; args[6]: int; args[7]: int
libvirt:qemu_monitor_send_msg Private/Unknown; args[0]: userland void *; args[1]: userland char *; args[2]: int
libstdcxx:throw Private/Unknown; args[0]: userland void *; args[1]: userland void *
sssd:dp_req_done Private/Unknown; args[0]: userland char *; args[1]: int; args[2]: int; args[3]: int; args[4]: userland char *
hotspot:monitor-wait Evolving/Common; args[0]: long; args[1]: uintptr_t; args[2]: userland char *; args[3]: int; args[4]: long
hotspot:class-loaded Evolving/Common; args[0]: userland char *; args[1]: int; args[2]: userland void *; args[3]: _Bool
hotspot_jni:GetMethodID-entry Evolving/Common; args[0]: userland void *; args[1]: userland void *; args[2]: userland char *; args[3]: userland char *
hotspot_jni:CallCharMethod-return Evolving/Common; args[0]: unsigned short
hs_private:safepoint-begin Private/Common
postgresql:buffer-read-start Private/Unknown; args[0]: int; args[1]: unsigned int; args[2]: unsigned int; args[3]: unsigned int; args[4]: unsigned int; args[5]: int
python:gc-done Evolving/Common; args[0]: int64_t; args[1]: int64_t
