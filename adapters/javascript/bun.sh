# bun.sh COMMAND…: runs the command with the conversation of this process in a variable, because a program that reads
# its input with `fs` is another one on Bun (see adapter.cjs). What is too long for a variable stays on descriptor 0.
conversation=$(cat)
if [ ${#conversation} -lt 100000 ]; then CONFORM_CONVERSATION=$conversation exec "$@"; fi
exec "$@" <<END
$conversation
END
