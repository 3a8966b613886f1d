"""From the deployment to the objects in the cluster: the same deployment, the same bytes.

``engine.py`` says what runs and is the same on both targets; ``eks.py`` and ``hyperpod.py`` say how it is scheduled.
"""
