// The hosts that one command may reach. The sandbox library knows no denied hosts per command, so an allowed pattern is
// left out as soon as a denied host falls under it: the person can still allow the others one by one.

export function reachableHosts(allowed: readonly string[], denied: readonly string[]): readonly string[] {
  return allowed.filter(
    (pattern) => !denied.some((other) => covers(other, pattern) || covers(pattern, other)),
  );
}

/** Is everything that `inner` stands for part of `outer`? `*.example.com` stands for its subdomains. */
function covers(outer: string, inner: string): boolean {
  const [one, other] = [outer.toLowerCase(), inner.toLowerCase()];
  if (one === other || one === "*") return true;
  return one.startsWith("*.") && other.replace(/^\*\./, ".").endsWith(one.slice(1));
}
