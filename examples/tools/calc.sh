#!/bin/sh
# Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
# Calculates one expression with qalc, within bounds. The expression comes from a model, which may have
# read it somewhere: qalc's own command() would run it as a shell command, load() read any file, export()
# write one. So qalc gets a folder of its own in which these names mean nothing.
fail() {
  printf '%s\n' "$1" >&2
  exit 1
}
command -v qalc >/dev/null || fail 'qalc is not installed (Debian and Ubuntu: sudo apt install qalc)'
[ "$#" -eq 1 ] && [ -n "$1" ] || fail 'one expression is wanted'

# Shadowing the names is what protects: text functions can build a name that no look at the
# expression finds. This look is for a clear answer.
case $(printf %s "$1" | tr '[:upper:]' '[:lower:]') in
  *command* | *export* | *load* | *save* | *plot* | *function*)
    fail 'command, export, load, save, plot and function are switched off' ;;
esac

folder=${XDG_CACHE_HOME:-${HOME:?}/.cache}/desktop-assistant/calc
mkdir -p "$folder/definitions" || fail "cannot make $folder"
# By rename, since another calculation may be reading them.
put() {
  cat >"$folder/$$.part" && mv -f "$folder/$$.part" "$folder/$1" || fail "cannot write to $folder"
}
{
  echo '<?xml version="1.0" encoding="UTF-8"?><QALCULATE version="4.0">'
  for name in command export load save plot; do
    echo "<function><names>r:$name</names><expression>undefined</expression></function>"
  done
  echo '</QALCULATE>'
} | put definitions/functions.xml || exit 1
put qalc.cfg <<'SETTINGS' || exit 1
[General]
version=4.5.1
save_mode_on_exit=0
save_definitions_on_exit=0
colorize=0
auto_update_exchange_rates=0
[Mode]
mixed_units_conversion=0
limit_implicit_multiplication=1
SETTINGS
for file in eurofxref-daily.xml rates.json; do
  rates=${XDG_DATA_HOME:-${HOME:-}/.local/share}/qalculate/$file
  [ ! -e "$rates" ] || ln -sfn "$rates" "$folder/$file"
done

# "15% of 80", "3 x 4" and bare dates are what people and models write.
expression=$(printf %s "$1" | sed -E -e 's/% *of /% * /g' -e 's/([0-9)]) +x +([0-9(])/\1 * \2/g' \
  -e 's/(^|[^"0-9])([0-9]{4}-[0-9]{2}-[0-9]{2})($|[^"0-9T])/\1"\2"\3/g')
# Kibibytes: a number with a billion digits stops here, not at the memory of the whole machine.
ulimit -v 1500000
export QALCULATE_USER_DIR="$folder" LC_ALL=C.UTF-8
# Without -t, which would hide the errors and answer 0 to an unknown word.
answer=$(qalc -s 'upxrates 0' -s 'temp hybrid' -s 'fractions off' -m 3000 -- "$expression" </dev/null 2>&1)
status=$?
answer=$(printf '%s\n' "$answer" | sed -e '/(press Enter to abort)$/d' -e 's/[[:space:]]*$//' -e '/^$/d' \
  -e 's/ ≈ / = approx. /g' -e 's/−/-/g')

fault=$(printf '%s\n' "$answer" | sed -n 's/^error: //p' | head -n 1)
[ -z "$fault" ] || fail "$fault"
[ "$status" -eq 0 ] || fail "qalc gave up (status $status)"
case $answer in
  '' | *aborted | *'= ?') fail 'this takes too long to calculate' ;;
esac
# "1 / 3 = approx. 0.333" is answered without the echo; where "=" is part of the matter all stays.
case $expression in
  *=*) printf '%s\n' "$answer" ;;
  *) printf '%s\n' "$answer" | sed -e '/^warning: /b' -e '/ = .* = /b' -e 's/^.* = //' ;;
esac
