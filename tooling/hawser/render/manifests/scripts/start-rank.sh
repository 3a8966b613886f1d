#!/bin/bash
# Starts one node of a replica of several: start-rank.sh COMMAND [ARGUMENT ...]
#
# LWS_LEADER_ADDRESS, LWS_GROUP_SIZE and LWS_WORKER_INDEX come from LeaderWorkerSet; MASTER_PORT and LEADER_WAIT_S from
# the manifest. The leader's name is published after its pod is there, and not at once everywhere: it is looked up here,
# in one loop, and an empty answer is never passed on.
set -euo pipefail

: "${LWS_LEADER_ADDRESS:?is not set: this runs in a LeaderWorkerSet}" "${LWS_GROUP_SIZE:?}" "${LWS_WORKER_INDEX:?}"

address=""
start=$SECONDS
while :; do
  address=$(getent ahostsv4 "$LWS_LEADER_ADDRESS" | awk 'NR == 1 { print $1 }' || true)
  if [[ -n $address ]]; then break; fi
  if ((SECONDS - start >= LEADER_WAIT_S)); then
    echo "the leader $LWS_LEADER_ADDRESS has no address after $((SECONDS - start)) s" >&2
    exit 1
  fi
  sleep 2
done
echo "rank $LWS_WORKER_INDEX of $LWS_GROUP_SIZE, leader $LWS_LEADER_ADDRESS at $address"

ranks=(--nnodes "$LWS_GROUP_SIZE" --node-rank "$LWS_WORKER_INDEX" --master-addr "$address" --master-port "$MASTER_PORT")
if [[ $LWS_WORKER_INDEX != 0 ]]; then ranks+=(--headless); fi

exec "$(dirname "$0")/start.sh" "$@" "${ranks[@]}"
