"""What looks ahead of a build: checks, a plan, what is built already, a trial of the translations."""
