dtrace: description 'BEGIN' matched 4 probes
CPU     ID                    FUNCTION:NAME
CPU 1                           :BEGIN
CPU 1                           :BEGIN

                1
