a struct task_struct
its tgid
its scheduling entity
