// Draws the pictures in docs/images from the real terminal app: `bun scripts/screenshot.ts [NAME]`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startApp } from "../test/support/terminal-app.ts";
import { screenSvg } from "./screen-svg.ts";
import { SCENES } from "./screenshot-scenes.data.ts";

const FOLDER = join(import.meta.dir, "..", "docs", "images");
const COLUMNS = 100;

const wanted = process.argv.slice(2);
mkdirSync(FOLDER, { recursive: true });
for (const [name, { setup, play, light = false }] of Object.entries(SCENES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const app = startApp({
    columns: COLUMNS,
    ports: { folder: "~/parser", gitBranch: async () => "main", ...setup.ports },
    ...setup,
  });
  await play(app);
  await app.terminal.settled();
  const colours = light
    ? { background: "#fbfbfa", foreground: "#24292f" }
    : { background: "#14171c", foreground: "#d8dee6" };
  writeFileSync(
    join(FOLDER, `${name}.svg`),
    screenSvg(app.terminal.emulator, { title: "tunacode", ...colours }),
  );
  console.log(`docs/images/${name}.svg`);
  app.press("escape", "escape");
  await app.leave();
}
