#!/usr/bin/env bash
# A PostgreSQL server of its own, in a folder, as a user without privileges, on a unix socket only.
#
#   server.sh start FOLDER    starts the server, with its data and its socket in FOLDER, which is made if it is not there
#   server.sh halt FOLDER     ends the server; it can be started again
#   server.sh stop FOLDER     ends the server and removes the folder
#   server.sh check           only says whether PostgreSQL is installed
#
# Exits with status 3 if PostgreSQL is not installed.
set -euo pipefail

bin=$(ls -d /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql*/bin 2>/dev/null | sort -V | tail -n 1 || true)
[ -n "$bin" ] || bin=$(dirname "$(command -v postgres || true)")
[ -x "$bin/initdb" ] || { echo "PostgreSQL is not installed; Debian's package is postgresql" >&2; exit 3; }

folder=${2:-}
# The server refuses to run as root.
as_user() { if [ "$(id -u)" = 0 ]; then (cd / && setpriv --reuid=65534 --regid=65534 --clear-groups "$@"); else "$@"; fi; }

case ${1:-} in
check) ;;
start)
  # The server must not keep what the caller has open: the caller would wait for it.
  for fd in $(ls /dev/fd/); do [ "$fd" -le 2 ] || [ "$fd" = 255 ] || eval "exec $fd>&-" 2>/dev/null || true; done
  mkdir -p "$folder"
  [ "$(id -u)" != 0 ] || chown 65534:65534 "$folder"
  [ -e "$folder/data/PG_VERSION" ] ||
    as_user "$bin/initdb" --no-sync --pgdata="$folder/data" --username=orders --auth=trust --encoding=UTF8 --locale=C >/dev/null
  as_user "$bin/pg_ctl" --pgdata="$folder/data" --log="$folder/log" --wait --silent \
    --options="-k $folder -c listen_addresses= -c unix_socket_permissions=0700 -c max_connections=120" start >/dev/null 2>&1
  ;;
halt)
  as_user "$bin/pg_ctl" --pgdata="$folder/data" --wait --silent --mode=fast stop
  ;;
stop)
  # Another signal of the terminal does not keep it from this.
  trap '' HUP INT TERM
  as_user "$bin/pg_ctl" --pgdata="$folder/data" --wait --silent --mode=immediate stop 2>/dev/null || true
  rm -rf "$folder"
  ;;
*) echo "usage: server.sh start|halt|stop FOLDER, or check" >&2; exit 2 ;;
esac
