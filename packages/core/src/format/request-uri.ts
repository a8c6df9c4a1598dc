import { isIpv6Text } from "./address-text.ts";

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;
const MALFORMED_ESCAPE = /%(?![0-9A-Fa-f]{2})[^]{0,2}/;
const USER = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
const OPTIONAL_PORT = /^(?::[0-9]*)?$/;
const BAD_IN_NAME = /%(?!25|[89A-Fa-f])[^]{2}|[^A-Za-z0-9\-_.~!"$&'()*+,:;<=>[\]\u0080-\uffff%]/;
const ZONE_ESCAPE = /%(?!25|20|2[124789A-Ea-e]|3[0-9A-Ea-e]|4[1-9A-Fa-f]|5[0-9ABDFabdf]|6[1-9A-Fa-f]|7[0-9AEae])/;

/**
 * Returns the problem that Go's `url.ParseRequestURI` reports for an absolute URL or path; undefined if it is valid.
 */
export function requestUriProblem(text: string): string | undefined {
  if (CONTROL.test(text)) return "net/url: invalid control character in URL";
  if (text === "") return "empty url";
  if (text === "*") return undefined;
  if (text.startsWith(":")) return "missing protocol scheme";
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(text)?.[0] ?? "";
  const rest = text.slice(scheme.length).split("?", 1)[0] ?? "";
  if (!rest.startsWith("/")) return scheme === "" ? "invalid URI for request" : undefined;
  if (scheme === "" || !rest.startsWith("//")) return escapeProblem(rest);
  const slash = rest.indexOf("/", 2);
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
  return authorityProblem(scheme.toLowerCase(), authority) ?? escapeProblem(slash < 0 ? "" : rest.slice(slash));
}

function escapeProblem(text: string): string | undefined {
  const malformed = MALFORMED_ESCAPE.exec(text)?.[0];
  return malformed === undefined ? undefined : `invalid URL escape ${JSON.stringify(malformed)}`;
}

function authorityProblem(scheme: string, text: string): string | undefined {
  const at = text.lastIndexOf("@");
  const user = text.slice(0, Math.max(at, 0));
  const problem = hostProblem(scheme, text.slice(at + 1));
  if (problem !== undefined) return problem;
  return USER.test(user) ? escapeProblem(user) : "net/url: invalid userinfo";
}

function hostProblem(scheme: string, host: string): string | undefined {
  const open = host.lastIndexOf("[");
  if (open > 0) return "invalid IP-literal";
  if (open === 0) return literalProblem(host);
  const colon = scheme === "http:" || scheme === "https:" ? host.indexOf(":") : host.lastIndexOf(":");
  const port = colon < 0 ? "" : host.slice(colon);
  return portProblem(port) ?? escapeProblem(host) ?? nameProblem(host);
}

function literalProblem(host: string): string | undefined {
  const close = host.lastIndexOf("]");
  if (close < 0) return "missing ']' in host";
  const name = host.slice(1, close);
  const percent = name.indexOf("%25");
  const zone = percent < 0 ? undefined : name.slice(percent + 3);
  const problem = portProblem(host.slice(close + 1)) ?? escapeProblem(name);
  if (problem !== undefined) return problem;
  if (!isIpv6Text(percent < 0 ? name : name.slice(0, percent), "strict")) return "invalid host: unable to parse IP";
  return zone === undefined || isZone(zone) ? undefined : "invalid zone in host";
}

/** Returns the problem with a name whose escapes are well-formed: only non-ASCII characters may be escaped. */
function nameProblem(name: string): string | undefined {
  const bad = BAD_IN_NAME.exec(name)?.[0];
  if (bad === undefined) return undefined;
  return bad.startsWith("%")
    ? `invalid URL escape ${JSON.stringify(bad)}`
    : `invalid character ${JSON.stringify(bad)} in host name`;
}

function portProblem(colonAndPort: string): string | undefined {
  return OPTIONAL_PORT.test(colonAndPort) ? undefined : `invalid port ${JSON.stringify(colonAndPort)} after host`;
}

/** Reports whether a zone has only characters of a host name, escaped or not, and escaped spaces. */
function isZone(zone: string): boolean {
  return zone !== "" && !ZONE_ESCAPE.test(zone) && !BAD_IN_NAME.test(zone.replaceAll(/%[0-9A-Fa-f]{2}/g, ""));
}
