ids True
users True
name True arguments True 1 ['two', 'words', 'last']
size True resident True
start True
time True
terminal True thread True O priority True TS
threads 4
