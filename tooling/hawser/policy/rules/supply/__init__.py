"""What runs: images and packages that can change without a change here."""
