# Completion for bash. What there is to offer is asked of conform itself, so that nothing here can be out of date.

_conform_options() { "$1" "${@:2}" --help 2>/dev/null | sed -n 's/^  \(-h,\)\{0,1\}\(--[a-z-]*\).*/\2/p'; }
_conform_commands() { "$1" "${@:2}" --help 2>/dev/null | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]\{1,\}\) .*/\1/p'; }
_conform_impls() {
  "$1" list impls 2>/dev/null | sed 's/ .*//'
  "$1" runtimes list 2>/dev/null | awk '$2 ~ /^[0-9]/ { print $1 "@" $2 }'
}

# _conform_values PROGRAM COMMAND OPTION: what may follow OPTION=, or nothing where it is a file or a number.
_conform_values() {
  case $3 in
    --impl) _conform_impls "$1" ;;
    --as | --profile)
      if [[ $2 == show ]]; then
        printf '%s\n' js c python
      else
        "$1" list profiles 2>/dev/null | sed -n 's/^\([a-z]\{1,\}\) .*/\1/p'
      fi
      ;;
    --format) printf '%s\n' text json ;;
    --lang) printf '%s\n' js python c ;;
    *) return 1 ;;
  esac
  return 0
}

# _conform_words PROGRAM COMMAND WORD: what may stand alone after COMMAND.
_conform_words() {
  case $2 in
    run | show | explore | lint | verify | history | mutants) "$1" list cases 2>/dev/null | sed 's/ .*//' ;;
    list) printf '%s\n' cases impls clauses profiles ;;
    runtimes | adapter) _conform_commands "$1" "$2" ;;
    diff) _conform_impls "$1" ;;
  esac
  if [[ $2 != list && $2 != runtimes ]]; then compgen -f -- "$3"; fi
}

# bash takes words apart at = @ and :, so the word under the cursor is read off the line, and what it has before the
# last of those signs is cut off again from every answer.
_conform() {
  local line=${COMP_LINE:0:COMP_POINT} program=${COMP_WORDS[0]} command=${COMP_WORDS[1]} candidates
  local word=${line##*[[:space:]]} shown candidate
  local before=$word
  COMPREPLY=()
  if [[ $line =~ ^[^[:space:]]+[[:space:]]+[^[:space:]]*$ ]]; then
    candidates=$(_conform_commands "$program"; _conform_options "$program")
  elif [[ $word == --*=* ]]; then
    candidates=$(_conform_values "$program" "$command" "${word%%=*}") || {
      shown=${word#*=}
      mapfile -t COMPREPLY < <(compgen -f -- "$shown")
      compopt -o filenames 2>/dev/null
      return
    }
    local kept=${word%%=*}=
    if [[ ${word#*=} == *,* ]]; then kept=${word%,*},; fi
    candidates=$kept${candidates//$'\n'/$'\n'"$kept"}
  elif [[ $word != -* && $line =~ [[:space:]](--[a-z-]+)[[:space:]]+[^[:space:]]*$ ]] &&
    candidates=$(_conform_values "$program" "$command" "${BASH_REMATCH[1]}"); then
    if [[ $word == *,* ]]; then candidates=${word%,*},${candidates//$'\n'/$'\n'"${word%,*},"}; fi
  elif [[ $word == -* ]]; then
    candidates=$(_conform_options "$program" "$command")
  else
    candidates=$(_conform_words "$program" "$command" "$word")
  fi
  # Names of files are anything: compgen -W would run what they contain, and so would a line on which they stand bare.
  while IFS= read -r candidate; do
    [[ -n $candidate && $candidate == "$word"* ]] || continue
    if [[ $candidate == *[^[:alnum:]_./@:=,+%-]* ]]; then printf -v candidate %q "$candidate"; fi
    COMPREPLY+=("$candidate")
  done <<<"$candidates"
  before=${before%"${before##*[=@:]}"}
  COMPREPLY=("${COMPREPLY[@]#"$before"}")
  if [[ ${COMPREPLY[0]-} == --* && ${#COMPREPLY[@]} == 1 ]]; then compopt -o nospace 2>/dev/null || true; fi
}

complete -F _conform conform ./conform
