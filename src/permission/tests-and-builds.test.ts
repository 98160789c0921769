import { expect, test } from "bun:test";
import { isTestOrBuild } from "./tests-and-builds.ts";

const RUN =
  "npm test|npm run build|npm run test:unit -- --watch=false|bun test ./a.test.ts|make|make -j4 all|pytest -q tests|cargo test|go test ./...|tsc --noEmit|node scripts/build.js|./build.sh|python3 run.py|bash script.sh|node_modules/.bin/jest|eslint src|echo x";
const LEFT =
  "npm install|npm i left-pad|npm publish|npm config set x y|npm link|npm run release|npm run publish:all|npm test -g|npx cowsay|make install|make deploy|cargo install x|cargo publish|go install x|pip install x|node -e x|python3 -c x|bash -c x|python3 -m http.server|node|bash|sh -x -c x|curl x|kill 1|systemctl stop x|read PATH|rm a|git config x y|git -c a=b commit|git stash|git add .|git commit -m x|git commit --amend|/tmp/evil|/opt/x/make|~/x|eval x|constructor|toString x";

test.each(RUN.split("|"))("%s may be reviewed outside a sandbox", (command) => {
  expect(isTestOrBuild(command.split(" "))).toBe(true);
});

test.each(LEFT.split("|"))("%s is left to the person", (command) => {
  expect(isTestOrBuild(command.split(" "))).toBe(false);
});

test("a word that isn't known before it runs leaves it to the person", () => {
  expect(isTestOrBuild(["npm", "run", null])).toBe(false);
  expect(isTestOrBuild([null, "test"])).toBe(false);
  expect(isTestOrBuild([])).toBe(false);
});
