// What a run may do to a project: shell commands and edits, made from what is on disk at that moment.
import type { JsonObject } from "../../src/base/json.ts";
import type { DiskPicture } from "./disk-picture.ts";
import type { Random } from "./random.ts";
import type { TreeKind } from "./undo-trees.ts";

export interface Act {
  readonly calls: readonly { readonly tool: string; readonly args: JsonObject }[];
}

export interface Ground {
  readonly kind: TreeKind;
  readonly picture: DiskPicture;
  readonly random: Random;
  /** How many files a build makes. */
  readonly built: number;
}

interface Choices {
  readonly random: Random;
  readonly built: number;
  readonly file: () => string;
  readonly folder: () => string;
  readonly any: () => string;
  /** No link: some commands would follow it. */
  readonly solid: () => string;
  /** Where nothing is yet. */
  readonly fresh: () => string;
  readonly text: () => string;
}

export function randomAct(ground: Ground): Act {
  const { random } = ground;
  const choices = choicesOf(ground);
  if (random.below(5) === 0) return edit(ground, choices);
  const makers = [...COMMANDS, ...(ground.kind === "plain" ? [] : GIT_COMMANDS)];
  const count = random.below(4) === 0 ? 2 + random.below(3) : 1;
  const parts = Array.from({ length: count }, () => random.pick(makers)(choices));
  return { calls: [{ tool: "bash", args: { command: parts.join("\n") } }] };
}

/** Nowhere that matters: a later command may write through a link that an earlier one made. */
const LINK_TARGETS = ["nowhere", "src", "../../outside.txt", "/nonexistent/of-undo", "."];

type CommandMaker = (choices: Choices) => string;

const COMMANDS: readonly CommandMaker[] = [
  ({ any }) => `rm -rf ${any()}`,
  ({ folder }) => `rm -rf ${folder()}`,
  ({ file }) => `rm -f ${file()} ${file()} ${file()}`,
  ({ any, fresh }) => `mv -T ${any()} ${fresh()}`,
  ({ file }) => `mv -f ${file()} ${file()}`,
  ({ file, folder }) => `mv -f ${file()} ${folder()}/`,
  ({ folder, fresh }) => `mv -T ${folder()} ${fresh()}`,
  ({ file, fresh }) => {
    const [one, other, spare] = [file(), file(), fresh()];
    return `mv -T ${one} ${spare} && mv -T ${other} ${one}; mv -T ${spare} ${other}`;
  },
  ({ file, text }) => `sed -i 's/e/${text()}/' ${file()} ${file()}`,
  ({ folder }) => `find ${folder()} -type f -exec sed -i 's/o/0/g' {} +`,
  ({ file, text }) => `printf %s ${text()} > ${file()}`,
  ({ fresh, text }) => `printf %s ${text()} > ${fresh()}`,
  ({ file, text }) => `printf %s ${text()} >> ${file()}`,
  ({ file }) => `: > ${file()}`,
  ({ file, random }) => `truncate -s ${random.below(3_000)} ${file()}`,
  ({ solid, random }) =>
    `chmod ${random.pick(["0", "400", "444", "600", "755", "4755", "2755", "1777"])} ${solid()}`,
  ({ folder, random }) => `chmod -R ${random.pick(["u+w", "go-rwx", "a+x"])} ${folder()}`,
  ({ folder }) => `chmod 555 ${folder()}`,
  ({ fresh, random }) => `ln -s ${random.pick(LINK_TARGETS)} ${fresh()}`,
  ({ any, random }) => `ln -sfn ${random.pick(LINK_TARGETS)} ${any()}`,
  ({ file, fresh }) => `ln ${file()} ${fresh()}`,
  ({ file }) => `ln -f ${file()} ${file()}`,
  ({ folder, fresh }) => `cp -al ${folder()} ${fresh()}`,
  // The size and the times stay the same; only the bytes and the change time tell.
  ({ file }) => {
    const path = file();
    return `time=$(stat -c %y ${path}); printf X | dd of=${path} conv=notrunc status=none; touch -d "$time" ${path}`;
  },
  ({ file, random }) => `touch -d '${random.pick(["1970-01-02", "2001-01-01", "2037-01-01"])}' ${file()}`,
  ({ file, fresh }) => `cp -p ${file()} ${fresh()}`,
  ({ file }) => `cp -p ${file()} ${file()}`,
  ({ folder, fresh }) => `cp -r ${folder()} ${fresh()}`,
  ({ fresh }) => `mkdir -p ${fresh()}/a/b/c`,
  ({ fresh, text }) => `mkdir -p ${fresh()}/x; cd ${fresh()} 2>/dev/null; printf %s ${text()} > "new one"`,
  ({ folder }) => `rmdir ${folder()}/* 2>/dev/null`,
  ({ fresh }) => `mkfifo ${fresh()}`,
  ({ fresh }) => `mkdir -p ${fresh()}/node_modules/left && echo left > ${fresh()}/node_modules/left/out.js`,
  ({ fresh }) => `printf odd > ${fresh()}$'\\xff\\xfe'`,
  ({ fresh }) => `head -c 9000000 /dev/zero > ${fresh()}`,
  // One kind of thing takes the place of another.
  ({ file, text }) => replacing(file(), (path) => `mkdir ${path} && printf %s ${text()} > ${path}/inner`),
  ({ folder, text }) => replacing(folder(), (path) => `printf %s ${text()} > ${path}`),
  ({ folder }) => replacing(folder(), (path) => `ln -s ../src ${path}`),
  ({ file }) => replacing(file(), (path) => `mkfifo ${path}`),
  ({ file, text }) => `printf %s ${text()} > ${file()}; exit 3`,
  ({ file, text }) => `(printf %s ${text()} > ${file()}; sleep 0.01; printf %s ${text()} >> ${file()})`,
  ({ built }) => `mkdir -p build/made && cd build/made && seq ${built} | split -l 1 -a 4 - made-`,
  () => "rm -rf build",
];

const GIT_COMMANDS: readonly CommandMaker[] = [
  () => "git checkout -q -f -- .",
  ({ file }) => `git checkout -q -- ${file()}`,
  () => "git checkout -q other || git checkout -q -f other",
  () => "git checkout -q main || git checkout -q -f main",
  () => "git checkout -q -B more",
  () => "git stash -q",
  () => "git stash -q -u",
  () => "git stash pop -q",
  () => "git clean -fdxq",
  () => "git clean -fdq src odd",
  () => "git reset -q --hard",
  () => "git reset -q --hard HEAD~1",
  () => "git add -A && git commit -q -m more",
  ({ text }) => `git commit -q -a -m ${text()}`,
  ({ file }) => `git rm -q -f ${file()}`,
  ({ file, fresh }) => `git mv ${file()} ${fresh()}`,
  ({ text }) => `git apply --allow-empty /dev/null; git tag ${text()}`,
  () => "git gc -q --prune=now",
];

/** Reads and then writes, as the tools demand it. */
function edit({ random, picture }: Ground, { fresh, text }: Choices): Act {
  const files = [...picture].filter(([path, line]) => isPlainText(path, line)).map(([path]) => path);
  const path = files.length === 0 || random.below(3) === 0 ? unquoted(fresh()) : random.pick(files);
  const read = { tool: "read_file", args: { filepath: path } };
  const write = { tool: "write_file", args: { filepath: path, content: `${text()}\n${text()}\n` } };
  const update = {
    tool: "update_file",
    args: { filepath: path, old_text: "e", new_text: text(), replace_all: true },
  };
  return { calls: [read, random.below(2) === 0 ? write : update] };
}

function isPlainText(path: string, line: string): boolean {
  return line.startsWith("file ") && !/[\n\t\\]|^big|\.db$|^\s|\s$/.test(path);
}

function replacing(path: string, then: (path: string) => string): string {
  return `rm -rf ${path} && ${then(path)}`;
}

function choicesOf({ picture, random, built }: Ground): Choices {
  const paths = [...picture].filter(([path]) => !path.includes("\\x") && !path.includes("node_modules"));
  const files = paths.filter(([, line]) => line.startsWith("file ")).map(([path]) => path);
  const folders = paths.filter(([, line]) => line.startsWith("folder ")).map(([path]) => path);
  const all = paths.map(([path]) => path);
  const folder = () => (folders.length === 0 ? "." : quoted(random.pick(folders)));
  const name = () =>
    `new${random.below(1_000)}${random.pick(["", " x", "-é", "\ny", ".log", ".crlf", ".rot"])}`;
  return {
    random,
    built,
    file: () => (files.length === 0 ? "gone.txt" : quoted(random.pick(files))),
    folder,
    solid: () => (random.below(2) === 0 && files.length > 0 ? quoted(random.pick(files)) : folder()),
    any: () => (all.length === 0 ? "gone" : quoted(random.pick(all))),
    fresh: () => (random.below(2) === 0 ? quoted(name()) : `${folder()}/${quoted(name()).slice(2)}`),
    text: () => `t${random.below(1e9)}`,
  };
}

/** `./` keeps a leading dash from being an option. */
function quoted(path: string): string {
  return `./'${path.replaceAll("'", "'\\''")}'`;
}

function unquoted(word: string): string {
  return word
    .slice(2)
    .replaceAll("'/'", "/")
    .replaceAll("'\\''", "\0")
    .replaceAll("'", "")
    .replaceAll("\0", "'");
}
