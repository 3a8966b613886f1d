"""Code that a plan or an apply runs, and checks that failed."""
