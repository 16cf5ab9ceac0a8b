"""What people look at: plots and contact sheets."""
