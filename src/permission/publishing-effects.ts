// Which commands send something to other people or machines, by their words. They need the network, so they can only
// work outside the sandbox.
import type { KnownEffect } from "./effect.ts";
import type { KnownWord } from "./rule-match.ts";

/** Whatever their words are. */
const ALWAYS =
  /^(ssh|scp|sftp|ftp|lftp|telnet|nc|ncat|netcat|mail|mailx|sendmail|mutt|msmtp|swaks|twine|surge|rcp|rsh|mosh|http|https|xh|semantic-release|release-it|np|goreleaser|ansible(-.*)?|skopeo|vsce|ovsx|gsutil|s3cmd|wormhole|croc)$/;

/** Clients of something that many share: all that doesn't clearly look is taken for a change. */
const SHARED =
  /^(aws|gcloud|az|gh|glab|hub|kubectl|oc|helm|terraform|tofu|pulumi|cdk|sam|serverless|sls|vercel|netlify|wrangler|firebase|heroku|fly|flyctl|doctl|hcloud|rclone|eksctl|argocd|flux)$/;
const LOOKING =
  /^(get(-.*)?|list(-.*)?|describe(-.*)?|show|status|view|diff|checks|ls|lsd|lsl|info|logs|plan|validate|fmt|init|version|--version|help|--help|-h|template|lint|explain|whoami|search|top|events|history|output|graph|synth|build|dev|local|fields|browse|size|about|check|cat)$/;
const CHANGING =
  /^(create.*|put-.*|delete.*|destroy|update.*|edit|set.*|add.*|remove.*|rm|mv|cp|copy|move|sync|apply|deploy.*|push|publish|merge|close|reopen|comment|review|run|start.*|stop.*|terminate.*|send.*|invoke.*|install|upgrade|uninstall|rollback|scale|patch|replace|exec|import|upload|release|-X.*|--method.*|-f|-F|--field.*|--raw-field.*|--input.*|-auto-approve|--prod)$/;

/** Package managers, builders and runners of scripts: with one of the words below. */
const BUILDERS =
  /^(npm|pnpm|yarn|bun|bunx|npx|deno|jsr|cargo|gem|rake|bundle|poetry|flit|hatch|uv|pdm|pip\d*|python[\d.]*|docker|docker-compose|podman|buildah|mvn|mvnw|gradle|gradlew|sbt|dotnet|nuget|lerna|nx|turbo|changeset|rush|conda|anaconda|make|gmake|just|task|composer|mix|dart|flutter|pod|luarocks|cabal|stack|opam|nix|wasm-pack)$/;
const PUBLISHING =
  /^(un)?(publish|push|deploy|upload|release|deprecate|dist-tag|yank|twine)([:_-].*)?$|^(owner|access|--push|adduser|nuget:push)$/;

/** Other systems that keep versions: all but what only looks. */
const VERSIONS = /^(hg|svn|jj|fossil|bzr|brz|darcs|cvs|p4|sl)$/;
const LOOKING_AT_VERSIONS =
  /^(st|status|diff|di|log|show|info|cat|annotate|blame|ls|list|help|version|root|summary|heads|branches|tags|id|identify|paths|files|manifest|parents)$/;

export function publishingEffect(name: string, rest: readonly KnownWord[]): KnownEffect | null {
  const has = (pattern: RegExp) => rest.some((word) => word !== null && pattern.test(word));
  if (VERSIONS.test(name)) {
    const verb = rest.find((word) => word === null || !word.startsWith("-"));
    const looks = verb === undefined || (verb !== null && LOOKING_AT_VERSIONS.test(verb));
    return looks ? null : { kind: "history", what: `change the history that ${name} keeps`, targets: [] };
  }
  const isPublishing =
    ALWAYS.test(name) ||
    (SHARED.test(name) && (rest.includes(null) || has(CHANGING) || !(rest.length === 0 || has(LOOKING)))) ||
    (BUILDERS.test(name) && has(PUBLISHING)) ||
    (name === "rsync" && has(/^[^/]*:/)) ||
    (name === "curl" && sendsData(rest) && !staysHere(rest)) ||
    (name === "wget" && has(/^--(pos|met|bod)/));
  if (!isPublishing) return null;
  return { kind: "publishes", what: `send something to other machines with ${name}`, targets: [] };
}

const LOOPBACK = /^(https?:\/\/)?(localhost|127\.0\.0\.1|\[::1\])(:\d+)?([/?#]|$)/;
const ADDRESS =
  /^[a-z]+:\/\/|^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)|^--?(x|proxy|preproxy|socks|connect-to|resolve|K|config)/;

/** A server that was started by the same command, as when a program is tried out. */
function staysHere(rest: readonly KnownWord[]): boolean {
  const isHere = (word: KnownWord) => word !== null && LOOPBACK.test(word);
  return rest.some(isHere) && rest.every((word) => isHere(word) || (word !== null && !ADDRESS.test(word)));
}

function sendsData(rest: readonly KnownWord[]): boolean {
  return rest.some((word, index) => {
    if (word === null) return false;
    if (
      /^-[A-Za-z0-9#]*[dFTKQ]|^--(data|form|upload|json|url-query|config|quote|mail|variable|expand)/.test(
        word,
      )
    )
      return true;
    const method = /^(?:--req[a-z]*=?|-[A-Za-z0-9#]*X)(.*)$/.exec(word);
    if (method === null) return false;
    return !/^(GET|HEAD)$/.test(method[1] || (rest[index + 1] ?? ""));
  });
}
