# Completion of xmc-lite for bash. Made with: xmc-lite help --bash
_xmc_lite_engines() {
  xmc-lite version 2>/dev/null | sed -n 's/^  \([^ ]*\).*/\1/p'
}
_xmc_lite() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local command=check options words='' files='' commands
  commands="check plan resume status fsck clean info simulate trace emit ltl probe version help"
  COMPREPLY=()
  # In --ram=8M the equals sign is a word of its own.
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  [[ $COMP_CWORD -gt 1 && " $commands " == *" ${COMP_WORDS[1]} "* ]] &&
    command=${COMP_WORDS[1]}
  case $previous in
    --property)
      return ;;
    --ltl)
      return ;;
    --hoa)
      files=-f ;;
    --never)
      files=-f ;;
    --invariant)
      return ;;
    --reach)
      return ;;
    --deadlock)
      words="auto off stuck stuttering" ;;
    --errors)
      words="report beem stop" ;;
    --fairness)
      words="none weak" ;;
    --lang)
      words="auto dve murphi promela" ;;
    --dialect)
      words="cmurphi rumur" ;;
    --define)
      return ;;
    --max-procs)
      return ;;
    --symmetry)
      words="exact off" ;;
    --reduce)
      words="off dead steps all auto" ;;
    --ram)
      return ;;
    --threads)
      return ;;
    --peers)
      return ;;
    --bandwidth)
      return ;;
    --latency)
      return ;;
    --work)
      files=-d ;;
    --checkpoint)
      words="auto level off" ;;
    --time)
      return ;;
    --step-work)
      return ;;
    --until)
      return ;;
    --states)
      return ;;
    --depth)
      return ;;
    --disk-limit)
      return ;;
    --disk-reserve)
      return ;;
    --wear-limit)
      return ;;
    --duty)
      return ;;
    --temp-max)
      return ;;
    --on-battery)
      words="run pause" ;;
    --nice)
      return ;;
    --watts)
      return ;;
    --endurance)
      return ;;
    --engine)
      words="auto $(_xmc_lite_engines)" ;;
    --table)
      words="open chained" ;;
    --signature)
      return ;;
    --collisions)
      return ;;
    --partial)
      return ;;
    --strategy)
      words="saturation bfs" ;;
    --method)
      words="prefix-core gastin-moro" ;;
    --edges)
      words="auto on off" ;;
    --index)
      words="auto rank phf" ;;
    --phf)
      words="ram flash" ;;
    --phf-codec)
      words="own cmph" ;;
    --phf-cache)
      return ;;
    --dd)
      words="diagram tiers lhs" ;;
    --rho1)
      return ;;
    --rho2)
      return ;;
    --json)
      files=-f ;;
    --trace)
      files=-f ;;
    --trace-style)
      words="diff full none" ;;
    --levels)
      files=-f ;;
    --report)
      files=-f ;;
    --progress)
      words="auto line json none" ;;
    --every)
      return ;;
    --color)
      words="auto always never" ;;
    --steps)
      return ;;
    --seed)
      return ;;
    --script)
      files=-f ;;
    --format)
      words="text msc svg itf vcd dot steps" ;;
    --vars)
      return ;;
    --output|-o)
      files=-f ;;
    --to)
      words="hoa never dot" ;;
    --board)
      words="pi-zero pi-3-4-5 beaglebone-black eeepc generic" ;;
  esac
  if [[ $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    return
  elif [[ $files ]]; then
    mapfile -t COMPREPLY < <(compgen "$files" -- "$current")
    return
  fi
  files=-f
  case $command in
    check)
      options="--property --ltl --hoa --never --invariant --reach --deadlock --errors
        --fairness --lang --dialect --define --max-procs --symmetry --reduce --ram --threads
        --work --keep --checkpoint --time --step-work --until --states --depth --disk-limit
        --disk-reserve --wear-limit --duty --temp-max --on-battery --nice --watts --endurance
        --engine --table --signature --collisions --partial --training --strategy --method
        --edges --index --phf --phf-codec --phf-cache --dd --rho1 --rho2 --full --minimal
        --paranoid --json --trace --trace-style --levels --report --progress --every --color
        --quiet --verbose --board --help --version" ;;
    plan)
      options="--property --ltl --hoa --never --invariant --reach --deadlock --errors
        --fairness --lang --dialect --define --max-procs --symmetry --reduce --ram --threads
        --peers --bandwidth --latency --work --keep --checkpoint --time --step-work --until
        --states --depth --disk-limit --disk-reserve --wear-limit --duty --temp-max
        --on-battery --nice --watts --endurance --engine --table --signature --collisions
        --partial --training --strategy --method --edges --index --phf --phf-codec --phf-cache
        --dd --rho1 --rho2 --full --minimal --paranoid --json --board --help" ;;
    resume)
      options="--ram --threads --keep --checkpoint --time --step-work --until --states --depth
        --disk-limit --disk-reserve --wear-limit --duty --temp-max --on-battery --nice --watts
        --endurance --json --trace --trace-style --levels --report --progress --every --color
        --quiet --verbose --board --help"
      files=-d ;;
    status)
      options="--json --help"
      files=-d ;;
    fsck)
      options="--ram --help"
      files=-d ;;
    clean)
      options="--help"
      files=-d ;;
    info)
      options="--lang --dialect --define --max-procs --ram --json --lint --help" ;;
    simulate)
      options="--property --ltl --hoa --never --invariant --reach --errors --lang --dialect
        --define --max-procs --ram --step-work --trace-style --steps --seed --script --vars
        --help" ;;
    trace)
      options="--define --max-procs --ram --step-work --trace-style --format --vars --output
        --help" ;;
    emit)
      options="--property --ltl --hoa --never --fairness --lang --dialect --define --max-procs
        --reduce --ram --output --help" ;;
    ltl)
      options="--hoa --never --ram --output --negate --to --help"
      files='' ;;
    probe)
      options="--ram --json --anew --help"
      files=-d ;;
    version)
      options="--json --help --version"
      files='' ;;
    help)
      options="--man --bash --zsh --fish --help --version"
      files='' words="$commands all" ;;
  esac
  case $current in
    -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current") ;;
    @*) mapfile -t COMPREPLY < <(compgen -P @ -f -- "${current#@}") ;;
    *)
      [[ $COMP_CWORD -eq 1 ]] && words=$commands
      [[ $files ]] && mapfile -t COMPREPLY < <(compgen "$files" -- "$current")
      mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$words" -- "$current") ;;
  esac
}
complete -o filenames -F _xmc_lite xmc-lite
