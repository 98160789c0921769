// Ends our families when we can't: a small shell process that waits for the end of a pipe only we hold. The
// kernel closes that pipe however we die, kill -9 included.
import { type ChildProcess, spawn } from "node:child_process";
import { OWN_MARK } from "./process-family.ts";

let watcher: ChildProcess | null = null;

/** Returns the function that ends the watch. Members outside the group are found by their mark. */
export function watchGroup(leader: number): () => void {
  tell(`+ ${leader}`);
  return () => tell(`- ${leader}`);
}

/** To be called before a family starts, so that there is no moment without a watcher. */
export function startWatcher(): void {
  if (watcher !== null) return;
  // A session of its own: what ends our terminal must not end the watcher.
  const child = spawn("/bin/sh", ["-c", SCRIPT, "sh", ...halves(OWN_MARK)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const forget = () => {
    if (watcher === child) watcher = null;
  };
  child.once("error", forget).once("exit", forget);
  child.stdin.on("error", forget);
  // It must not keep us alive; that is what it waits for.
  child.unref();
  watcher = child;
}

/** In two arguments, so that a list of processes doesn't show the mark beside the one who looks for it. */
function halves(mark: string): [string, string] {
  const middle = mark.length >> 1;
  return [mark.slice(0, middle), mark.slice(middle)];
}

function tell(line: string): void {
  watcher?.stdin?.write(`${line}\n`);
}

// The mark is known from the start and does not come by the pipe: we may die before anything was written to it.
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
  # Somebody may be between fork and exec, where the mark is not yet seen.
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
