"""One module per `gainsay` command; each holds a thin click layer and nothing else."""
