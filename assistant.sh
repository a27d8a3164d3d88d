#!/bin/sh
# The earlier daemon's start script, kept for the autostart entries that name it.
# Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
case ${1-} in
  start | stop | restart | status) ;;
  *)
    echo "usage: $0 start|stop|restart|status" >&2
    exit 2
    ;;
esac
exec "$(dirname "$(readlink -f "$0")")/bin/desktop-assistant" "$1"
