// Paths that are not ordinary project files: secrets, which are asked about before reading, and files that other
// programs obey, which are asked about before writing, even when edits need no question.
//
// Left out on purpose: AGENTS.md and CLAUDE.md are prose that people have agents edit every day, and they can't grant
// permissions. package.json, Makefiles and other build files are source: writing them is an edit, and running them is
// a command that is asked about.

import { isWithin } from "../base/real-path.ts";

/** Folders whose whole content is secret, wherever they are. */
export const SECRET_FOLDERS: readonly string[] =
  ".ssh .aws .azure .gnupg .kube .docker .password-store .vault".split(" ");

/** Secret files and folders in the home folder. In a project, .npmrc and .yarnrc.yml hold settings; here, tokens. */
export const SECRET_HOME_PATHS: readonly string[] = [
  ...(
    ".config/gcloud .config/gh .config/hub .config/op .npmrc .yarnrc.yml .config/tunacode.json .config/tunacode " +
    ".config/google-chrome .config/chromium .mozilla .local/share/keyrings .local/share/tunacode .claude " +
    ".claude.json .codex .gemini .cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml " +
    ".terraform.d Library/Keychains"
  ).split(" "),
  "Library/Application Support/Google/Chrome",
];
const SECRET_IN_HOME = SECRET_HOME_PATHS.map(folded);
/** Worktrees that this program made are projects like any other, although they are beside its sessions. */
const WORKTREE_IN_HOME = /^\.local\/share\/tunacode\/worktrees\/[^/]+\/[^/]/;

/** Patterns of file names, in lower case. */
const SECRET_NAMES: readonly RegExp[] = [
  /^\.env$/,
  /^\.env\.(?!(example|sample|template|dist|defaults|schema)$)/,
  /^[^.].*\.env$/,
  /^\.?netrc$|^_netrc$/,
  /^\.(pgpass|my\.cnf|pypirc|git-credentials|htpasswd|dockercfg|vault-token|s3cfg|boto)$/,
  /^\.(tunacode|mcp)\.json$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|tfstate)$/,
  /^credentials(\.(json|ya?ml|toml|ini|csv|xml))?$/,
  /^(client_secret|service[-_]?account).*\.json$/,
  /^secrets?\.(json|ya?ml|toml|ini|env)$/,
  /^(shadow|gshadow|master\.passwd)$/,
];

/** The same as globs for ripgrep, a little wider. */
export const SECRET_GLOBS: readonly string[] = [
  ...SECRET_FOLDERS,
  ...(
    ".env .env.* *.env *netrc .pgpass .my.cnf .pypirc .git-credentials .htpasswd .dockercfg .vault-token .s3cfg .boto " +
    ".tunacode.json .mcp.json id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk " +
    "*.pem *.key *.p12 *.pfx *.jks *.keystore *.kdbx *.ppk *.asc *.gpg *.tfstate " +
    "credentials credentials.* client_secret*.json service*account*.json " +
    "secret.json secret.y*ml secret.toml secret.ini secrets.json secrets.y*ml secrets.toml secrets.ini " +
    "shadow gshadow master.passwd"
  ).split(" "),
];

/** Folders that git, an editor, an agent or a build server obeys. */
const OBEYED_FOLDERS: readonly RegExp[] = [
  /^\.git$/,
  /^\.(vscode|idea|zed|fleet|devcontainer)$/,
  /^\.(claude|cursor|codex|gemini|opencode|continue|windsurf|cline|roo|qwen|pi|agents|mcp)$/,
  /^\.tunacode/,
  /^\.(husky|circleci|buildkite)$/,
  /^\.(github|gitlab)$/,
];

const OBEYED_NAMES: readonly RegExp[] = [
  // Shells, sessions and interactive programs read these when they start.
  /^\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|inputrc)$/,
  /^\.(zshrc|zshenv|zprofile|zlogin|zlogout|cshrc|tcshrc|login|kshrc)$/,
  /^\.(xprofile|xinitrc|xsession|xsessionrc|pam_environment)$/,
  /^\.(vimrc|exrc|nvimrc|gvimrc|emacs|tmux\.conf|screenrc|gdbinit|lldbinit|psqlrc|sqliterc|irbrc|pryrc|pythonrc)$/,
  // Tools run or load what these name, often on entering the folder.
  /^\.(envrc|direnvrc|tool-versions|mise\.toml)$|^mise\.toml$/,
  /^\.(gitconfig|gitmodules|ripgreprc|curlrc|wgetrc|npmrc|yarnrc|yarnrc\.yml|pnpmfile\.c?js|condarc)$/,
  /^(pip\.conf|\.pre-commit-config\.ya?ml|lefthook\.ya?ml)$/,
  /^(\.gitlab-ci\.yml|azure-pipelines\.yml|jenkinsfile|\.travis\.yml)$/,
  // Agents.
  /^(\.mcp\.json|\.tunacode\.json|tunacode\.json|\.aider.*|\.cursorrules|\.windsurfrules|\.clinerules)$/,
  /^opencode\.jsonc?$/,
  // What a person trusts and allows for good, wherever they keep their configuration.
  /^(trusted-folders\.json|remembered-rules\.jsonl)$/,
];

/** Every path outside the project is asked about anyway, so this lists only folders that may be inside one. */
const OBEYED_IN_HOME = [".config", ".local/bin", "bin", ".local/share/applications", "library/launchagents"];

/** What is in these belongs to the machine. */
const OBEYED_IN_SYSTEM =
  "/etc /boot /bin /sbin /lib /lib64 /usr/bin /usr/sbin /usr/lib /usr/local/bin /usr/local/sbin /Library /System".split(
    " ",
  );

/** Folders of packages and caches, with thousands of files that nobody works in. They are not searched. */
export const INSTALLED: ReadonlySet<string> = new Set(["node_modules", ".venv", "venv", "__pycache__"]);

const SECRET_NAME = anyOf(SECRET_NAMES);
const OBEYED_FOLDER = anyOf(OBEYED_FOLDERS);
const OBEYED_NAME = anyOf(OBEYED_NAMES);

const PROCESS_MEMORY = /^\/proc\/[^/]+\/(environ|mem|maps|fd|root|cwd|task)(\/|$)/;

export function isSecret(path: string, home: string): boolean {
  const { whole, names, last, inHome } = parts(path, home);
  return (
    names.some((name) => SECRET_FOLDERS.includes(name)) ||
    (SECRET_NAME.test(last) && !last.endsWith(".pub")) ||
    (SECRET_IN_HOME.some((secret) => isWithin(inHome, secret)) && !WORKTREE_IN_HOME.test(inHome)) ||
    PROCESS_MEMORY.test(whole)
  );
}

export function isObeyed(path: string, home: string): boolean {
  const { names, last, inHome } = parts(path, home);
  return (
    names.some((name) => OBEYED_FOLDER.test(name)) ||
    OBEYED_NAME.test(last) ||
    OBEYED_IN_HOME.some((obeyed) => isWithin(inHome, obeyed))
  );
}

/** Folders that are obeyed for their place. A folder that one of them is in can't be told from them by names. */
export function obeyedPlaces(home: string): readonly string[] {
  return [...OBEYED_IN_HOME.map((place) => `${home}/${place}`), ...OBEYED_IN_SYSTEM];
}

/** The same by the name alone, for somebody who looks through folders of which neither holds for the whole. */
export function guardedName(name: string): { readonly obeyed: boolean; readonly secret: boolean } {
  const last = folded(name);
  return {
    obeyed: OBEYED_FOLDER.test(last) || OBEYED_NAME.test(last),
    secret: SECRET_FOLDERS.includes(last) || (SECRET_NAME.test(last) && !last.endsWith(".pub")),
  };
}

/** One pattern, because a large project has a hundred thousand names. */
function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"));
}

/** `inHome` is empty for a path outside the home folder. */
function parts(path: string, home: string) {
  const whole = folded(path);
  const names = whole.split("/");
  const inside = `${folded(home)}/`;
  const inHome = whole.startsWith(inside) ? whole.slice(inside.length) : "";
  return { whole, names, last: names.at(-1) ?? "", inHome };
}

/**
 * A file system that ignores case, Unicode composition or invisible characters, as on macOS, opens `.env` for `.ENV`
 * and `.git` for `.g\u200cit`.
 */
function folded(path: string): string {
  if (/^[ -~]*$/.test(path)) return path.toLowerCase();
  return path
    .normalize("NFC")
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "")
    .toLowerCase();
}
