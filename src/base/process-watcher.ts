// Ends our process families after we were killed: a small shell waits for end of file on a pipe that only we hold.
// The kernel closes that pipe however we die, even by kill -9.
import { type ChildProcess, spawn } from "node:child_process";
import { OWN_MARK } from "./process-family.ts";
import { SYSTEM_PATH } from "./system-path.ts";

let watcher: ChildProcess | null = null;

/** Returns a function that stops watching. Members outside the group are found by their mark. */
export function watchGroup(leader: number): () => void {
  tell(`+ ${leader}`);
  return () => tell(`- ${leader}`);
}

/** To be called before a family starts, so that it is never without a watcher. */
export function startWatcher(): void {
  if (watcher !== null) return;
  // It runs in its own session, so that closing our terminal doesn't end it.
  const child = spawn("/bin/sh", ["-c", SCRIPT, "sh", ...halves(OWN_MARK)], {
    detached: true,
    env: { PATH: SYSTEM_PATH },
    stdio: ["pipe", "ignore", "ignore"],
  });
  const forget = () => {
    if (watcher === child) watcher = null;
  };
  child.once("error", forget).once("exit", forget);
  child.stdin.on("error", forget);
  // It waits for our end, so it must not keep us alive.
  child.unref();
  watcher = child;
}

/** Splits the mark into two arguments, so that the watcher doesn't find itself in the output of ps. */
function halves(mark: string): [string, string] {
  const middle = mark.length >> 1;
  return [mark.slice(0, middle), mark.slice(middle)];
}

function tell(line: string): void {
  watcher?.stdin?.write(`${line}\n`);
}

// The mark is passed as an argument and not through the pipe, because we may die before anything is written there.
const SCRIPT = `
trap '' HUP INT QUIT TERM PIPE
mark=$1$2
groups=
while read -r sign group; do
  case $sign in
    +) groups="$groups $group" ;;
    -) kept=
       for each in $groups; do [ "$each" = "$group" ] || kept="$kept $each"; done
       groups=$kept ;;
  esac
done
marked() {
  if [ -r /proc/self/environ ]; then
    grep -lF "$mark" /proc/[0-9]*/environ 2>/dev/null | while IFS=/ read -r _ _ pid _; do echo "$pid"; done
  else
    ps -axEww -o pid=,command= | while read -r pid rest; do case $rest in *"$mark"*) echo "$pid" ;; esac; done
  fi
}
end_all() {
  alive=
  for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null && alive=yes; done
  for pid in $(marked); do kill -s "$1" "$pid" 2>/dev/null && alive=yes; done
  [ -n "$alive" ]
}
found=
for round in 1 2 3 4 5; do
  # A process between fork and exec doesn't show the mark yet.
  if [ -z "$found" ]; then
    end_all TERM && found=yes
    [ -z "$found" ] && [ "$round" -ge 3 ] && exit 0
  else
    end_all 0 || exit 0
  fi
  sleep 0.1
done
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do end_all KILL || exit 0; sleep 0.1; done
`;
