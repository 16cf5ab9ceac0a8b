"""Pages, plots and contact sheets for people to look at."""
