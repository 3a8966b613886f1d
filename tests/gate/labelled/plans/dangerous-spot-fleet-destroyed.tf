# The request was taken out of the configuration.
locals {}
