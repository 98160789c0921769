// /theme chooses the colours, which change while the person chooses.
import { errorMessage } from "../../domain/error.ts";
import { themeNames } from "../theme/theme.ts";
import type { LocalCommand } from "./local-command.ts";

export const themeCommand: LocalCommand = {
  name: "theme",
  description: "choose the colours",
  argument: themeNames(),
  run: async (args, { pick, setTheme, themeName, store, saveTheme }) => {
    const before = themeName();
    const items = themeNames().map((name) => ({ value: name, label: name, detail: "" }));
    const options = { selected: before, onSelect: setTheme };
    const name = args === "" ? await pick("Theme", items, options) : args;
    if (name !== null && !themeNames().includes(name))
      return store.note(`There is no theme ${name}. There are ${themeNames().join(", ")}.`, "warning");
    setTheme(name ?? before);
    if (name === null) return;
    try {
      await saveTheme(name);
    } catch (error) {
      // The theme stays for this run even if the configuration can't be written.
      store.note(`The theme could not be saved: ${errorMessage(error)}`, "warning");
    }
  },
};
