import { parseIpText } from "./ip-text.ts";
import { isSafe, malformedEscape, normalizePercent, unescapePercent } from "./percent-encoding.ts";

/** The part of a URL between `//` and the path. */
export interface Authority {
  /** User and password, escaped; undefined if there is no `@`. */
  readonly user: string | undefined;
  /** The host and its port, with escapes resolved. */
  readonly host: string;
  /** The same as it is written in a URL. */
  readonly escapedHost: string;
}

const USER = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
const OPTIONAL_PORT = /^(?::[0-9]*)?$/;

/** Parses an authority like Go's `net/url`. Returns a string that states the problem if it is invalid. */
export function parseAuthority(scheme: string, text: string): Authority | string {
  const at = text.lastIndexOf("@");
  const host = text.slice(at + 1);
  const problem = hostProblem(scheme, host);
  if (problem !== undefined) return problem;
  const user = at < 0 ? undefined : text.slice(0, at);
  if (user !== undefined && !USER.test(user)) return "net/url: invalid userinfo";
  const malformed = malformedEscape(user ?? "");
  if (malformed !== undefined) return `invalid URL escape ${JSON.stringify(malformed)}`;
  return {
    user: user === undefined ? undefined : normalizeUser(user),
    host: unescapePercent(host),
    escapedHost: normalizePercent(host, "host"),
  };
}

/** Splits the host of an authority into name and port, without brackets and colon. */
export function splitHost(host: string): { readonly hostname: string; readonly port: string } {
  const colon = host.lastIndexOf(":");
  const hasPort = colon >= 0 && OPTIONAL_PORT.test(host.slice(colon));
  const name = hasPort ? host.slice(0, colon) : host;
  return {
    hostname: name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name,
    port: hasPort ? host.slice(colon + 1) : "",
  };
}

function normalizeUser(user: string): string {
  const colon = user.indexOf(":");
  if (colon < 0) return normalizePercent(user, "user");
  return `${normalizePercent(user.slice(0, colon), "user")}:${normalizePercent(user.slice(colon + 1), "user")}`;
}

function hostProblem(scheme: string, host: string): string | undefined {
  const open = host.lastIndexOf("[");
  if (open > 0) return "invalid IP-literal";
  if (open === 0) return literalProblem(host);
  // Only http and https reject colons in a host name: database URLs use them in lists of hosts.
  const web = scheme === "http" || scheme === "https";
  const colon = web ? host.indexOf(":") : host.lastIndexOf(":");
  return portProblem(colon < 0 ? "" : host.slice(colon)) ?? nameProblem(host, "name");
}

function literalProblem(host: string): string | undefined {
  const close = host.lastIndexOf("]");
  if (close < 0) return "missing ']' in host";
  const port = host.slice(close + 1);
  const name = host.slice(1, close);
  const percent = name.indexOf("%25");
  const address = percent < 0 ? name : name.slice(0, percent);
  const zone = percent < 0 ? "" : name.slice(percent);
  const problem = portProblem(port) ?? nameProblem(address, "name") ?? nameProblem(zone, "zone");
  if (problem !== undefined) return problem;
  const ip = parseIpText(unescapePercent(name));
  if (ip.kind === "problem") return `invalid host: ParseAddr(${JSON.stringify(name)}): ${ip.problem}`;
  return ip.family === 4 ? "invalid IP-literal" : undefined;
}

function portProblem(colonAndPort: string): string | undefined {
  if (OPTIONAL_PORT.test(colonAndPort)) return undefined;
  return `invalid port ${JSON.stringify(colonAndPort)} after host`;
}

/** Returns the problem with the characters and escapes of a host name or a zone. */
function nameProblem(text: string, kind: "name" | "zone"): string | undefined {
  const malformed = malformedEscape(text);
  if (malformed !== undefined) return `invalid URL escape ${JSON.stringify(malformed)}`;
  for (const [match, hex] of text.matchAll(/%([0-9A-Fa-f]{2})|[^]/g)) {
    if (hex === undefined) {
      if (match < "\u0080" && !isSafe(match, "host")) return `invalid character ${JSON.stringify(match)} in host name`;
    } else if (!isHostEscape(Number.parseInt(hex, 16), kind)) {
      return `invalid URL escape ${JSON.stringify(match)}`;
    }
  }
  return undefined;
}

/** A name may escape non-ASCII characters. A zone may also escape characters of a name and spaces. */
function isHostEscape(byte: number, kind: "name" | "zone"): boolean {
  if (byte === 0x25) return true;
  if (kind === "name") return byte >= 0x80;
  return byte === 0x20 || isSafe(String.fromCharCode(byte), "host");
}
