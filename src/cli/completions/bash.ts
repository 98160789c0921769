// Completions for bash 3.2 and later: macOS ships 3.2.
import { COMMAND_NAMES } from "../commands.ts";
import { CANDIDATES, type Candidates, completedValue, type ValueCompletion } from "./candidates.ts";

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
      ${COMMAND_NAMES.join(" | ")}) command=\${COMP_WORDS[1]} ;;
    esac
  fi
  case $command$previous in
${CANDIDATES.flatMap(valueCases).join("\n")}
  esac
  case $command in
${CANDIDATES.map(wordCase).join("\n")}
  esac
  ((COMP_CWORD == 1)) && words="${COMMAND_NAMES.join(" ")}"
  ((COMP_CWORD > 2)) && words=
  [[ $word == -* ]] && words=$flags
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _tunacode tunacode
`;
}

const VALUES: ValueCompletion = {
  choices: (choices) => `COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$word"))`,
  folder: `local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$word"))`,
  file: `local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word"))`,
  free: () => "COMPREPLY=()",
};

function valueCases({ command, flags }: Candidates): string[] {
  return flags.flatMap(([name, flag]) => {
    const reply = completedValue(flag, VALUES);
    if (reply === null) return [];
    const short = flag.short === undefined ? "" : ` | ${command}-${flag.short}`;
    return [`    ${command}--${name}${short}) ${reply}; return ;;`];
  });
}

function wordCase({ command, words, flags }: Candidates): string {
  const names = flags.map(([name]) => `--${name}`);
  return `    ${command}) words="${words.join(" ")}" flags="${names.join(" ")}" ;;`;
}
