// find with tests that only look, and with -exec if what it runs only reads the files that are found.
import { splitArguments } from "./arguments.ts";
import { mayDoMore, type PathUse, type ReadOnlyAnswer } from "./read-only-answer.ts";

const FIND_TESTS =
  "-amin# -anewer= -atime# -cmin# -cnewer= -ctime# -empty -executable -false -fstype= -gid# -group= " +
  "-ilname= -iname= -inum# -ipath= -iregex= -iwholename= -links# -lname= -mmin# -mtime# -name= -newer= " +
  "-nogroup -nouser -path= -perm= -readable -regex= -samefile= -size= -true -type= -uid# -user= -wholename= " +
  "-writable -xtype= -maxdepth# -mindepth# -depth -daystart -follow -mount -xdev -noleaf -regextype= " +
  "-print -print0 -prune -quit -ls -printf= -not -a -o -and -or -H -L -P -O1 -O2 -O3 -E -X -s";
/** Programs that read the files they are given and nothing else. */
const READERS =
  /^(cat|head|tail|wc|grep|egrep|fgrep|file|md5sum|sha1sum|sha256sum|stat|ls|basename|dirname|nl|cksum)$/;

/** Paths come first, then an expression. Other actions that run, write or delete aren't in the table. */
export function readOnlyFind(
  words: readonly string[],
  judge: (words: readonly string[]) => ReadOnlyAnswer,
): ReadOnlyAnswer {
  const paths: string[] = [];
  let index = 0;
  for (; index < words.length; index++) {
    const word = words[index] ?? "";
    if (/^-[HLPEXs]$|^-O\d$/.test(word)) continue;
    if (/^[-!(]/.test(word)) break;
    paths.push(word);
  }
  const { tests, commands } = withoutCommands(words.slice(index));
  const split = splitArguments(tests, FIND_TESTS);
  if (!split.ok) return mayDoMore(`find ${split.problem} isn't one of the tests that only look`);
  // In `-name -delete`, find takes any next word as the value, and so does the split above.
  if (split.positionals.length > 0) return mayDoMore(`find doesn't know ${split.positionals[0]}`);
  const uses: PathUse[] = [];
  let reads = false;
  for (const command of commands) {
    const answer = READERS.test(command[0] ?? "") ? judge(command) : null;
    if (
      answer?.harmless !== true ||
      !command.includes("{}") ||
      command.some((word) => /.\{\}|\{\}./.test(word))
    )
      return mayDoMore(`find would run ${command[0] ?? "something"}`);
    for (const use of answer.uses)
      if (use.path === "{}") reads ||= use.extent !== "names";
      else uses.push(use);
  }
  // A link that is followed may lead out of the project.
  const follows = words.some((word) => /^-(L|follow)$/.test(word));
  const extent = reads || follows ? ("tree" as const) : ("names" as const);
  // A command that is given a link reads what it leads to.
  const use = { extent, ...((follows || reads) && { follows: true as const }) };
  return {
    harmless: true,
    uses: [...uses, ...(paths.length === 0 ? ["."] : paths).map((path) => ({ path, ...use }))],
  };
}

/** Takes `-exec COMMAND {} ;` out of the tests. What has no end stays in, and is not known then. */
function withoutCommands(words: readonly string[]) {
  const tests: string[] = [];
  const commands: (readonly string[])[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    const end =
      word === "-exec" ? words.findIndex((each, at) => at > index && isEnd(each, words[at - 1])) : -1;
    if (end > 0) {
      commands.push(words.slice(index + 1, end));
      index = end;
    } else if (!/^[!(),]$/.test(word)) tests.push(word);
  }
  return { tests, commands };
}

function isEnd(word: string, before: string | undefined): boolean {
  return word === ";" || (word === "+" && before === "{}");
}
