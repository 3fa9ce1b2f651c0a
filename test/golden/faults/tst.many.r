status 0
clause 2: reported 100, in all 400
clause 3: reported 100, in all 200
ERROR fired 600
