#!/bin/bash
# Runs once as root when HyperPod creates a node, before containerd and kubelet start for the first time.
# Puts the data of both on the big disk: images and the model cache (pod storage) would fill the root volume.
set -Eeuo pipefail

log_file=/var/log/provision/provisioning.log
mkdir -p "$(dirname "$log_file")"
exec > >(tee -a "$log_file") 2>&1

# A node whose script fails is taken away; a minute is enough to ship the log that says why.
trap 'echo "[error] on_create.sh failed in line $LINENO"; sync; sleep 60' ERR

fail() {
  echo "[error] $1"
  return 1
}

wait_for_mount() {
  for _ in {1..60}; do
    if mountpoint --quiet "$1"; then
      return
    fi
    sleep 5
  done
  fail "$1 is not mounted after five minutes"
}

move_to() {
  local disk=$1 service=$2
  local data=/var/lib/$service
  if [[ -L $data ]]; then
    echo "[info] $data already points to $(readlink "$data")"
    return
  fi
  if systemctl is-active --quiet "$service"; then
    fail "$service already runs, its data cannot be moved"
  fi
  mkdir -p "$data" "$disk/$service"
  cp --archive "$data/." "$disk/$service/"
  rm --recursive --force "$data"
  ln --symbolic "$disk/$service" "$data"
  echo "[info] $data now lies on $disk"
}

echo "[info] on_create.sh starts"
if grep --quiet --no-messages "Amazon EC2 NVMe Instance Storage" /sys/block/nvme*/device/model; then
  disk=/opt/dlami/nvme # the array of all local disks
else
  disk=/opt/sagemaker # the additional EBS volume
fi
wait_for_mount "$disk"
move_to "$disk" containerd
move_to "$disk" kubelet
echo "[info] on_create.sh is done"
