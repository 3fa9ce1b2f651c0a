calls as many as were made
whole or cut all
neither 0
cut ones are counted
whole ones are among them
