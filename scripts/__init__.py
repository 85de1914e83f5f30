"""Command line programs: training, evaluation, benchmarks, checks of data."""
