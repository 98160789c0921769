// The palettes of the themes. The well-known ones keep the colours their authors published.

export interface Palette {
  readonly name: string;
  readonly background: string;
  /** For secondary text, and for text that may be overlooked. */
  readonly dim: string;
  readonly faint: string;
  /** For the program, and for the person. */
  readonly accent: string;
  readonly person: string;
  readonly green: string;
  readonly yellow: string;
  readonly red: string;
  readonly blue: string;
  readonly magenta: string;
  readonly cyan: string;
  readonly orange: string;
}

export const PALETTES: readonly Palette[] = [
  {
    name: "tunacode",
    background: "#14171c",
    dim: "#8b95a3",
    faint: "#566070",
    accent: "#58c4d6",
    person: "#ff9e80",
    green: "#7fd88f",
    yellow: "#f2c572",
    red: "#f27a7a",
    blue: "#7ab8f5",
    magenta: "#c79bf0",
    cyan: "#58c4d6",
    orange: "#f5a97f",
  },
  {
    name: "tunacode-light",
    background: "#fbfbfa",
    dim: "#5f6a77",
    faint: "#98a2ad",
    accent: "#0b7285",
    person: "#b5432a",
    green: "#2b7a3d",
    yellow: "#8f6400",
    red: "#c0342f",
    blue: "#1f64b5",
    magenta: "#7b3fb0",
    cyan: "#0b7285",
    orange: "#a8541b",
  },
  {
    name: "catppuccin-mocha",
    background: "#1e1e2e",
    dim: "#a6adc8",
    faint: "#6c7086",
    accent: "#89b4fa",
    person: "#f5c2e7",
    green: "#a6e3a1",
    yellow: "#f9e2af",
    red: "#f38ba8",
    blue: "#89b4fa",
    magenta: "#cba6f7",
    cyan: "#94e2d5",
    orange: "#fab387",
  },
  {
    name: "dracula",
    background: "#282a36",
    dim: "#a9b1d0",
    faint: "#6272a4",
    accent: "#bd93f9",
    person: "#ff79c6",
    green: "#50fa7b",
    yellow: "#f1fa8c",
    red: "#ff5555",
    blue: "#8be9fd",
    magenta: "#ff79c6",
    cyan: "#8be9fd",
    orange: "#ffb86c",
  },
  {
    name: "gruvbox",
    background: "#282828",
    dim: "#a89984",
    faint: "#7c6f64",
    accent: "#83a598",
    person: "#fe8019",
    green: "#b8bb26",
    yellow: "#fabd2f",
    red: "#fb4934",
    blue: "#83a598",
    magenta: "#d3869b",
    cyan: "#8ec07c",
    orange: "#fe8019",
  },
  {
    name: "nord",
    background: "#2e3440",
    dim: "#aeb8ca",
    faint: "#6b7a94",
    accent: "#88c0d0",
    person: "#d08770",
    green: "#a3be8c",
    yellow: "#ebcb8b",
    red: "#bf616a",
    blue: "#81a1c1",
    magenta: "#b48ead",
    cyan: "#8fbcbb",
    orange: "#d08770",
  },
  {
    name: "tokyo-night",
    background: "#1a1b26",
    dim: "#9aa5ce",
    faint: "#565f89",
    accent: "#7aa2f7",
    person: "#ff9e64",
    green: "#9ece6a",
    yellow: "#e0af68",
    red: "#f7768e",
    blue: "#7aa2f7",
    magenta: "#bb9af7",
    cyan: "#7dcfff",
    orange: "#ff9e64",
  },
  {
    name: "solarized-dark",
    background: "#002b36",
    dim: "#93a1a1",
    faint: "#657b83",
    accent: "#268bd2",
    person: "#cb4b16",
    green: "#859900",
    yellow: "#b58900",
    red: "#dc322f",
    blue: "#268bd2",
    magenta: "#d33682",
    cyan: "#2aa198",
    orange: "#cb4b16",
  },
  {
    name: "solarized-light",
    background: "#fdf6e3",
    dim: "#586e75",
    faint: "#93a1a1",
    accent: "#268bd2",
    person: "#cb4b16",
    green: "#859900",
    yellow: "#b58900",
    red: "#dc322f",
    blue: "#268bd2",
    magenta: "#d33682",
    cyan: "#2aa198",
    orange: "#cb4b16",
  },
];
