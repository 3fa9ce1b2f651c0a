names: 57
providers: postgresqlPID
modules: postgres
every process
