#!/bin/sh
# health.sh LIMIT COMMAND…: a health check that restarts its container after LIMIT checks in a row without an answer.
#
# COMMAND exits with 0 if all is well and with 69 if nobody answers. Any other code means that something is wrong which a
# restart would not repair, such as a database that is down: the container is unhealthy, and goes on.
#
# Docker restarts a container when its first process ends. That is docker-init (`init: true`), which ends with its child,
# so everything else is killed. It needs no capability: all processes belong to the same user. Anywhere else than under
# docker-init nothing is killed.
limit=$1
shift
counter=/tmp/unanswered # in memory: a new start counts from 0

"$@"
code=$?
if [ "$code" -ne 69 ]; then
    rm -f "$counter"
    exit "$((code != 0))"
fi

count=0
[ -e "$counter" ] && read -r count <"$counter"
count=$((count + 1))
echo "$count" >"$counter"
if [ "$count" -ge "$limit" ]; then
    read -r first </proc/1/comm
    if [ "$first" = docker-init ]; then
        echo "No answer to $count health checks: this container restarts." >/proc/1/fd/2
        kill -s KILL -- -1
    fi
fi
exit 1
