# Completion of xmc-lite for bash. Made with: xmc-lite help --bash
_xmc_lite() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command=check options
  COMPREPLY=()
  case ${COMP_WORDS[1]} in
    check|plan|resume|status|fsck|clean|info|simulate|trace|emit|probe|version|help)
      [[ $COMP_CWORD -gt 1 ]] && command=${COMP_WORDS[1]} ;;
  esac
  case $previous in
    --property)
      COMPREPLY=()
      return ;;
    --invariant)
      COMPREPLY=()
      return ;;
    --reach)
      COMPREPLY=()
      return ;;
    --deadlock)
      mapfile -t COMPREPLY < <(compgen -W "auto off stuck stuttering" -- "$current")
      return ;;
    --errors)
      mapfile -t COMPREPLY < <(compgen -W "report beem stop" -- "$current")
      return ;;
    --lang)
      mapfile -t COMPREPLY < <(compgen -W "auto dve murphi" -- "$current")
      return ;;
    --ram)
      COMPREPLY=()
      return ;;
    --threads)
      COMPREPLY=()
      return ;;
    --work)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return ;;
    --checkpoint)
      mapfile -t COMPREPLY < <(compgen -W "auto level off DUR" -- "$current")
      return ;;
    --time)
      COMPREPLY=()
      return ;;
    --states)
      COMPREPLY=()
      return ;;
    --depth)
      COMPREPLY=()
      return ;;
    --disk-limit)
      COMPREPLY=()
      return ;;
    --disk-reserve)
      COMPREPLY=()
      return ;;
    --wear-limit)
      COMPREPLY=()
      return ;;
    --engine)
      COMPREPLY=()
      return ;;
    --table)
      mapfile -t COMPREPLY < <(compgen -W "open chained" -- "$current")
      return ;;
    --signature)
      COMPREPLY=()
      return ;;
    --collisions)
      COMPREPLY=()
      return ;;
    --partial)
      COMPREPLY=()
      return ;;
    --method)
      mapfile -t COMPREPLY < <(compgen -W "prefix-core gastin-moro" -- "$current")
      return ;;
    --edges)
      mapfile -t COMPREPLY < <(compgen -W "auto on off" -- "$current")
      return ;;
    --index)
      mapfile -t COMPREPLY < <(compgen -W "auto rank phf" -- "$current")
      return ;;
    --phf)
      mapfile -t COMPREPLY < <(compgen -W "ram flash" -- "$current")
      return ;;
    --phf-codec)
      mapfile -t COMPREPLY < <(compgen -W "own cmph" -- "$current")
      return ;;
    --phf-cache)
      COMPREPLY=()
      return ;;
    --json)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return ;;
    --trace)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return ;;
    --trace-style)
      mapfile -t COMPREPLY < <(compgen -W "diff full none" -- "$current")
      return ;;
    --levels)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return ;;
    --progress)
      mapfile -t COMPREPLY < <(compgen -W "auto line none" -- "$current")
      return ;;
    --every)
      COMPREPLY=()
      return ;;
    --color)
      mapfile -t COMPREPLY < <(compgen -W "auto always never" -- "$current")
      return ;;
    --steps)
      COMPREPLY=()
      return ;;
    --seed)
      COMPREPLY=()
      return ;;
    --script)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return ;;
    --format)
      mapfile -t COMPREPLY < <(compgen -W "text itf vcd dot steps" -- "$current")
      return ;;
    --vars)
      COMPREPLY=()
      return ;;
    --output|-o)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return ;;
  esac
  case $command in
    check)
      options="--property --invariant --reach --deadlock --errors --lang --ram --threads --work
        --keep --checkpoint --time --states --depth --disk-limit --disk-reserve --wear-limit
        --engine --table --signature --collisions --partial --training --method --edges --index
        --phf --phf-codec --phf-cache --full --minimal --paranoid --json --trace --trace-style
        --levels --progress --every --color --quiet --verbose --help --version" ;;
    plan)
      options="--property --invariant --reach --deadlock --errors --lang --ram --threads --work
        --keep --checkpoint --time --states --depth --disk-limit --disk-reserve --wear-limit
        --engine --table --signature --collisions --partial --training --method --edges --index
        --phf --phf-codec --phf-cache --full --minimal --paranoid --json --help" ;;
    resume)
      options="--ram --threads --keep --checkpoint --time --states --depth --disk-limit
        --disk-reserve --wear-limit --json --trace --trace-style --levels --progress --every
        --color --quiet --verbose --help" ;;
    status)
      options="--json --help" ;;
    fsck)
      options="--ram --help" ;;
    clean)
      options="--help" ;;
    info)
      options="--lang --ram --json --help" ;;
    simulate)
      options="--property --invariant --reach --errors --lang --ram --trace-style --steps
        --seed --script --vars --help" ;;
    trace)
      options="--ram --trace-style --format --vars --output --help" ;;
    emit)
      options="--lang --ram --output --help" ;;
    probe)
      options="--ram --json --help" ;;
    version)
      options="--json --help --version" ;;
    help)
      options="--man --bash --help --version" ;;
  esac
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -f -- "$current")
  if [[ $COMP_CWORD -eq 1 ]]; then
    local words commands
    commands="check plan resume status fsck clean info simulate trace emit probe version help"
    mapfile -t words < <(compgen -W "$commands" -- "$current")
    COMPREPLY+=("${words[@]}")
  fi
}
complete -o filenames -F _xmc_lite xmc-lite
