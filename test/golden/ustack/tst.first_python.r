inner [python]
deep.py:3
inner [python]
deep.py:3
inner [python]
deep.py:3
inner [python]
deep.py:3
outer [python]
deep.py:5
<module> [python]
deep.py:6
