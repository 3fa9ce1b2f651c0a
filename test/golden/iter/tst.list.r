- iter vmlinux task at-begin
- iter vmlinux task at-end
- iter vmlinux task every-1s
- iter vmlinux task every-10s
- iter vmlinux file at-begin
- iter vmlinux file at-end
- iter vmlinux file every-1s
- iter vmlinux file every-10s
- iter at-begin-done
- iter at-end-done
- iter every-1s-done
- iter every-10s-done
- iter vmlinux tcp every-7s
- iter vmlinux udp every-50hz
- iter every-7s-done
- iter vmlinux task at-begin
args[0]: struct task_struct *
- iter vmlinux file at-begin
args[0]: struct task_struct *
args[1]: u32
args[2]: struct file *
- iter vmlinux vma at-begin
args[0]: struct task_struct *
args[1]: struct vm_area_struct *
- iter vmlinux tcp at-begin
args[0]: struct sock_common *
args[1]: uid_t
  note: what can be walked is task, file, vma, tcp, udp, unix, netlink, bpf-map, bpf-prog, bpf-link, slab, dmabuf
  note: a walk is made at-begin, at-end or every-1ms, every-10s and so on; at-begin-done and the like fire when it is done
  note: a walk is made at-begin, at-end or every-1ms, every-10s and so on; at-begin-done and the like fire when it is done
  note: -done is a probe of all walks of a time: leave the function empty (iter:::at-end-done)
