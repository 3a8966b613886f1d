"""HyperPod clusters inside CloudFormation stacks."""
