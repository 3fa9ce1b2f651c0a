run: seen
