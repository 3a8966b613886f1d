#!/bin/bash
# Starts the engine: start.sh COMMAND [ARGUMENT ...]
#
# Shared memory lives as long as the pod, so what a crashed engine left in it would fill it at each restart.
# Compiled kernels are only good for the driver that they were compiled with.
set -euo pipefail

find /dev/shm -mindepth 1 -delete

driver=$(sed -nE 's/.*Kernel Module[^0-9]*([0-9.]+).*/\1/p' /proc/driver/nvidia/version 2>/dev/null | head -n 1 || true)
suffix="driver-${driver:-unknown}"
for name in FLASHINFER_WORKSPACE_BASE TORCHINDUCTOR_CACHE_DIR TRITON_CACHE_DIR CUDA_CACHE_PATH VLLM_CACHE_ROOT; do
  export "$name=${!name}/$suffix"
  mkdir -p "${!name}"
done
mkdir -p "$HOME" "$HF_HOME" "$HF_MODULES_CACHE"

exec "$@"
