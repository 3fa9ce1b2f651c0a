never touched

