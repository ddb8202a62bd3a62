# bun.sh COMMAND…: runs the command with the conversation of this process in a variable, because a program that reads
# its input with `fs` is another one on Bun (see adapter.cjs). What is too long for a variable stays on descriptor 0.
conversation=$(cat)
if [ ${#conversation} -ge 100000 ]; then
  exec "$@" <<END
$conversation
END
fi
export CONFORM_CONVERSATION="$conversation"
case $conversation in
*'"type":"run"'*) exec "$@" ;;
*) exec "$@" 3<&0 ;; # to try reading with: many releases of Bun take descriptor 0 for none
esac
