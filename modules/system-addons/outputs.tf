output "names" {
  description = "Names of the installed add-ons; waits until all are active."
  value       = sort([for addon in module.addon : addon.name])
}
