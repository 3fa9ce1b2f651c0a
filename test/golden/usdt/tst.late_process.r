ready

PID 7
python3 function-entry 7
wrong 0

