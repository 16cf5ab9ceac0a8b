"""Pages and plots for people to look at."""
