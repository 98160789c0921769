// Completions for bash 3.2 and later: macOS ships 3.2.
import { CANDIDATES, type Candidates, NAMES, valueSource } from "./candidates.ts";

export function bashCompletions(): string {
  return `# bash completions for tunacode
_tunacode() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command=app words= flags=
  # bash splits --flag=value at the equals sign.
  if [[ $word == "=" ]]; then
    word=
  elif [[ $previous == "=" ]]; then
    previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  if ((COMP_CWORD > 1)); then
    case \${COMP_WORDS[1]} in
      ${NAMES.join(" | ")}) command=\${COMP_WORDS[1]} ;;
    esac
  fi
  case $command$previous in
${CANDIDATES.flatMap(valueCases).join("\n")}
  esac
  case $command in
${CANDIDATES.map(wordCase).join("\n")}
  esac
  ((COMP_CWORD == 1)) && words="${NAMES.join(" ")}"
  ((COMP_CWORD > 2)) && words=
  [[ $word == -* ]] && words=$flags
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _tunacode tunacode
`;
}

function valueCases({ command, flags }: Candidates): string[] {
  return flags.flatMap(([name, flag]) => {
    const source = valueSource(flag);
    if (source.type === "none") return [];
    const patterns = [
      `${command}--${name}`,
      ...(flag.short === undefined ? [] : [`${command}-${flag.short}`]),
    ];
    return [`    ${patterns.join(" | ")}) ${valueReply(source)}; return ;;`];
  });
}

function valueReply(source: Exclude<ReturnType<typeof valueSource>, { type: "none" }>): string {
  switch (source.type) {
    case "choices":
      return `COMPREPLY=($(compgen -W "${source.choices.join(" ")}" -- "$word"))`;
    case "folder":
      return `local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$word"))`;
    case "free":
      return "COMPREPLY=()";
  }
}

function wordCase({ command, words, flags }: Candidates): string {
  const names = flags.map(([name]) => `--${name}`);
  return `    ${command}) words="${words.join(" ")}" flags="${names.join(" ")}" ;;`;
}
