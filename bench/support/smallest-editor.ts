// The smallest program with an editor on the same library: what the terminal app's start is measured against.
import { Editor, ProcessTerminal, TuiMainScreen } from "@earendil-works/pi-tui";

const plain = (text: string) => text;
const tui = new TuiMainScreen(new ProcessTerminal());
const list = {
  selectedPrefix: plain,
  selectedText: plain,
  description: plain,
  scrollInfo: plain,
  noMatch: plain,
};
const editor = new Editor(tui, { borderColor: plain, selectList: list });
tui.addChild(editor);
tui.setFocus(editor);
tui.start();
