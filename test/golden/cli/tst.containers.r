== no capabilities
! dtrace: DTrace requires additional privileges: this root has no CAP_BPF and CAP_PERFMON
! dtrace: in a container: start it with --privileged --pid=host (docker run, sudo podman run), or with privileged: true and hostPID: true (Kubernetes)
status 2
== those of Docker
! dtrace: DTrace requires additional privileges: this root has no CAP_BPF and CAP_PERFMON
! dtrace: in a container: start it with --privileged --pid=host (docker run, sudo podman run), or with privileged: true and hostPID: true (Kubernetes)
status 2
== one of two
! dtrace: DTrace requires additional privileges: this root has no CAP_PERFMON
! dtrace: in a container: start it with --privileged --pid=host (docker run, sudo podman run), or with privileged: true and hostPID: true (Kubernetes)
status 2
== a user namespace
! dtrace: DTrace requires additional privileges: root of a user namespace may not trace
! dtrace: in a container: start it as root of the host: sudo podman run --privileged --pid=host, docker run --privileged --pid=host --userns=host, or privileged: true, hostPID: true and hostUsers: true (Kubernetes)
status 2
== a user namespace in it, with less
! dtrace: DTrace requires additional privileges: root of a user namespace may not trace
! dtrace: in a container: start it as root of the host: sudo podman run --privileged --pid=host, docker run --privileged --pid=host --userns=host, or privileged: true, hostPID: true and hostUsers: true (Kubernetes)
status 2
== seccomp: EPERM
! dtrace: DTrace requires additional privileges: a seccomp filter refuses bpf(2): Operation not permitted
! dtrace: in a container: start it with --privileged or --security-opt seccomp=unconfined (docker run, sudo podman run), or with privileged: true (Kubernetes); in a service of systemd: without SystemCallFilter=
status 2
== seccomp: ENOSYS
! dtrace: DTrace requires additional privileges: a seccomp filter refuses bpf(2): Function not implemented
! dtrace: in a container: start it with --privileged or --security-opt seccomp=unconfined (docker run, sudo podman run), or with privileged: true (Kubernetes); in a service of systemd: without SystemCallFilter=
status 2
== -Vv
dtrace: D N
DTrace for Linux 0.1.0
This is DTrace 2.0.0
What this kernel supports cannot be asked: a seccomp filter refuses bpf(2): Operation not permitted.
status 0
== a filter that lets bpf(2) pass

status 3
== -e needs none
status 0
