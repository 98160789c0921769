// Completions for fish.
import { COMMAND_NAMES } from "../commands.ts";
import type { Flag } from "../flags.ts";
import { CANDIDATES, type Candidates, completedValue, type ValueCompletion } from "./candidates.ts";

export function fishCompletions(): string {
  return `# fish completions for tunacode
function __tunacode_is
    set -l words (commandline -opc)
    set -l command app
    if set -q words[2]; and contains -- $words[2] ${COMMAND_NAMES.join(" ")}
        set command $words[2]
    end
    test $command = $argv[1]
end
function __tunacode_first
    test (count (commandline -opc)) -eq $argv[1]
end
complete -c tunacode -f
${CANDIDATES.flatMap(lines).join("\n")}
`;
}

function lines(candidates: Candidates): string[] {
  const { command, summary, words, flags, takesFile } = candidates;
  const name = `complete -c tunacode -n '__tunacode_first 1' -a ${command} -d ${quote(summary)}`;
  const only = `complete -c tunacode -n '__tunacode_is ${command}'`;
  const first = `complete -c tunacode -n '__tunacode_is ${command}; and __tunacode_first 2'`;
  return [
    ...(command === "app" ? [] : [name]),
    ...(words.length === 0 ? [] : [`${first} -a ${quote(words.join(" "))}`]),
    ...(takesFile ? [`${first} -F`] : []),
    ...flags.map(([flag, facts]) => `${only} -l ${flag}${options(facts)} -d ${quote(facts.help)}`),
  ];
}

const VALUES: ValueCompletion = {
  choices: (choices) => ` -xa ${quote(choices.join(" "))}`,
  folder: " -xa '(__fish_complete_directories)'",
  file: " -rF",
  free: () => " -x",
};

function options(flag: Flag): string {
  const short = flag.short === undefined ? "" : ` -s ${flag.short}`;
  return short + (completedValue(flag, VALUES) ?? "");
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
