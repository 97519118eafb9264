"""Large-margin training: structured support vector machines and their losses."""
