# Completion for bash. What there is to offer is asked of conform itself, so that nothing here can be out of date.

# _conform_list PROGRAM KIND: all words of a kind.
_conform_list() {
  case $2 in
    cases) "$1" list cases | sed 's/ .*//' ;;
    clauses) "$1" list clauses | awk '$3 ~ /\./ { print $3 }' ;;
    impls) "$1" list impls | sed 's/ .*//' && _conform_list "$1" installed ;;
    installed) "$1" runtimes list | awk '$2 ~ /^[0-9]/ { print $1 "@" $2 }' ;;
    profiles)
      "$1" list profiles --format=json | awk -F '"' '
        /^      "name":/ { family = $4; print family }
        /^      "releases": \[$/ { listed = 1; next }
        /^      \]/ { listed = 0 }
        listed { print family "@" $2 }'
      ;;
    releases)
      "$1" runtimes install --help | sed -n 's/.* REQUIRED such as //p' | tr -d ' ' | tr , '\n'
      _conform_list "$1" profiles | grep '^node@'
      ;;
    rules) "$1" list profiles | sed -n 's/^  \([a-z][a-z-]*\): .*/\1=/p' | sort -u ;;
    commands) "$1" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]\{1,\}\) .*/\1/p' ;;
    subcommands) "$1" "$3" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]\{1,\}\) .*/\1/p' ;;
    options) "$1" "${@:3}" --help | sed -n 's/^  \(-h,\)\{0,1\}\(--[a-z-]*\).*/\2/p' ;;
    formats)
      "$1" "${@:3}" --help | sed -n '/^  --format FORMAT/{ s/.*FORMAT *//; s/ (default.*//; s/,* \(or \)*/\n/g; p; }'
      ;;
    languages) printf '%s\n' js python c ;;
    lists) printf '%s\n' cases impls clauses profiles ;;
  esac 2>/dev/null
}

# _conform_kind PROGRAM OPTION COMMAND…: the kind of the option's value; status 1 where it has none.
_conform_kind() {
  local value
  # What was typed is compared, and part of no script: sed and awk can run commands.
  value=$("$1" "${@:3}" --help 2>/dev/null | option=$2 awk '
    { sub(/^  -[a-z],/, "  ") }
    index($0, "  " ENVIRON["option"] " ") == 1 {
      value = substr($0, length(ENVIRON["option"]) + 4)
      if (match(value, /^[A-Z]+/) && substr(value, RLENGTH + 1) !~ /^[a-z]/) print substr(value, 1, RLENGTH)
    }')
  case $2:$value in
    --as:LANGUAGE | *:LANG) echo languages ;;
    --as:* | --profile:*) echo profiles ;;
    *:) return 1 ;;
    --impl:* | --against:*) echo impls ;;
    --clause:*) echo clauses ;;
    --case:*) echo cases ;;
    --rule:*) echo rules ;;
    *:FORMAT) echo formats ;;
    *:FILE | *:DIR) echo files ;;
    *) echo nothing ;;
  esac
}

# _conform_kinds COMMAND…: the kinds of words that may stand alone after it.
_conform_kinds() {
  case $* in
    run | explore | lint | verify | history | mutants | bisect) echo cases files ;;
    show) echo cases clauses files ;;
    list) echo lists ;;
    help) echo commands ;;
    whatif) echo rules ;;
    diff) echo impls files ;;
    runtimes | adapter) echo subcommands ;;
    'runtimes install') echo releases ;;
    'runtimes remove') echo installed ;;
    search | fuzz | infer | survey | bench | version | 'runtimes list') ;;
    *) echo files ;;
  esac
}

# bash takes words apart at = @ and :, so the word under the cursor is read off the line, and what it has before the
# last of those signs is cut off again from every answer.
_conform() {
  local line=${COMP_LINE:0:COMP_POINT} kinds='' kind candidate kept=''
  local word=${line##*[[:space:]]}
  local before=() command=() candidates=()
  read -ra before <<<"${line%"$word"}"
  local program=${before[0]-} last=${before[-1]-}
  command=("${before[@]:1:1}")
  if [[ ${command[0]-} == @(runtimes|adapter) ]]; then command=("${before[@]:1:2}"); fi
  COMPREPLY=()
  if ((${#before[@]} <= 1)); then
    kinds="commands options"
  elif [[ $word == --*=* ]]; then
    kept=${word%%=*}=
    kinds=$(_conform_kind "$program" "${word%%=*}" "${command[@]}")
  elif [[ $word != -* && $last == --* && $last != *=* ]] &&
    kinds=$(_conform_kind "$program" "$last" "${command[@]}"); then
    :
  elif [[ $word == -* ]]; then
    kinds=options
  else
    kinds=$(_conform_kinds "${command[@]}")
  fi
  # What is one of several, as in --impl=node,bun.
  if [[ ${word#"$kept"} == *,* && $kinds == @(impls|profiles) ]]; then kept=${word%,*},; fi
  for kind in $kinds; do
    if [[ $kind == files ]]; then
      mapfile -t -O "${#candidates[@]}" candidates < <(compgen -f -- "${word#"$kept"}")
    else
      mapfile -t -O "${#candidates[@]}" candidates < <(_conform_list "$program" "$kind" "${command[@]}")
    fi
  done
  if [[ $kinds == files ]]; then compopt -o filenames 2>/dev/null; fi
  # Names of files are anything: compgen -W would run what they contain, and so would a line on which they are bare.
  for candidate in "${candidates[@]}"; do
    candidate=$kept$candidate
    [[ $candidate != "$kept" && $candidate == "$word"* ]] || continue
    if [[ $candidate == *[^[:alnum:]_./@:=,+%-]* && $kinds != files ]]; then printf -v candidate %q "$candidate"; fi
    COMPREPLY+=("$candidate")
  done
  COMPREPLY=("${COMPREPLY[@]#"${word%"${word##*[=@:]}"}"}")
  if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == @(--*|*=) ]]; then compopt -o nospace 2>/dev/null || true; fi
}

complete -F _conform conform ./conform
