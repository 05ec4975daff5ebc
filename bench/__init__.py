"""Speed and size against their limits, each as a ratio to a peer measured in the same run."""
