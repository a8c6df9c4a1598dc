import { parseAuthority, splitHost } from "./authority.ts";
import { UrlError } from "./net-errors.ts";
import { encodeIfNeeded, malformedEscape, unescapePercent } from "./percent-encoding.ts";

/** A URL as exposed to CEL. Every part may be empty. */
export interface Url {
  /** In lower case, without the colon. */
  readonly scheme: string;
  /** With the port, and with the brackets of an IPv6 address. */
  readonly host: string;
  /** Without the port and without brackets. */
  readonly hostname: string;
  readonly port: string;
  /** The path, escaped; empty for a URL like `mailto:a@b`. */
  readonly escapedPath: string;
  readonly query: ReadonlyMap<string, readonly string[]>;
  /** The normalized URL. URLs are equal if these are. */
  readonly text: string;
}

interface Parts extends Omit<Url, "text" | "query"> {
  /** The text up to the query. */
  readonly base: string;
  /** The text after the first `?`; undefined if there is none. */
  readonly rawQuery: string | undefined;
}

const PARAMETERS_MAX = 10_000;

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Parses an absolute URL or an absolute path like the CEL function `url()` (k8s.io/apiserver/pkg/cel/library/urls.go):
 * validates it with the rules of Go's `url.ParseRequestURI`, then parses it with those of `url.Parse`, which supports
 * fragments. Throws a `UrlError`.
 */
export function parseUrl(text: string): Url {
  const checked = readParts(text, "request");
  if (typeof checked === "string") throw refusal(text, checked);
  const hash = text.indexOf("#");
  const parts = readParts(hash < 0 ? text : text.slice(0, hash), "reference");
  if (typeof parts === "string") throw refusal(text, parts);
  const fragment = hash < 0 ? "" : text.slice(hash + 1);
  const malformed = malformedEscape(fragment);
  if (malformed !== undefined) throw refusal(text, `invalid URL escape ${JSON.stringify(malformed)}`);
  const { base, rawQuery, ...shown } = parts;
  const queryText = rawQuery === undefined ? "" : `?${rawQuery}`;
  const fragmentText = fragment === "" ? "" : `#${encodeIfNeeded(fragment, "fragment")}`;
  return { ...shown, query: queryOf(rawQuery ?? ""), text: base + queryText + fragmentText };
}

/** Reports whether Go's `url.ParseRequestURI` accepts the text. `parseUrl` may still reject its fragment. */
export function isUrl(text: string): boolean {
  return typeof readParts(text, "request") !== "string";
}

function refusal(text: string, reason: string): UrlError {
  return new UrlError(`URL parse error during conversion from string: parse ${JSON.stringify(text)}: ${reason}`);
}

/** Returns the parts of a URL, or the problem. A request must be absolute; in a reference `//` begins an authority. */
function readParts(text: string, mode: "request" | "reference"): Parts | string {
  if (CONTROL.test(text)) return "net/url: invalid control character in URL";
  if (text === "") return "empty url";
  if (text === "*") return { ...NOTHING, escapedPath: "*", base: "*" };
  if (text.startsWith(":")) return "missing protocol scheme";
  const scheme = (/^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? "").toLowerCase();
  const afterScheme = scheme === "" ? text : text.slice(scheme.length + 1);
  const mark = afterScheme.indexOf("?");
  const rest = mark < 0 ? afterScheme : afterScheme.slice(0, mark);
  const rawQuery = mark < 0 ? undefined : afterScheme.slice(mark + 1);
  const prefix = scheme === "" ? "" : `${scheme}:`;
  if (!rest.startsWith("/")) {
    return scheme === "" ? "invalid URI for request" : { ...NOTHING, scheme, rawQuery, base: prefix + rest };
  }
  const hasAuthority = scheme === "" ? mode === "reference" && /^\/\/(?!\/)/.test(rest) : rest.startsWith("//");
  const pathStart = hasAuthority ? rest.indexOf("/", 2) : 0;
  const path = pathStart < 0 ? "" : rest.slice(pathStart);
  const authority = hasAuthority
    ? parseAuthority(scheme, rest.slice(2, pathStart < 0 ? undefined : pathStart))
    : undefined;
  if (typeof authority === "string") return authority;
  const malformed = malformedEscape(path);
  if (malformed !== undefined) return `invalid URL escape ${JSON.stringify(malformed)}`;
  const escapedPath = encodeIfNeeded(path, "path");
  const user = authority?.user === undefined ? "" : `${authority.user}@`;
  const middle = user + (authority?.escapedHost ?? "");
  const slashes = hasAuthority && (middle !== "" || (scheme !== "" && path !== "")) ? "//" : "";
  const host = authority?.host ?? "";
  return { scheme, host, ...splitHost(host), escapedPath, rawQuery, base: prefix + slashes + middle + escapedPath };
}

const NOTHING: Parts = {
  scheme: "",
  host: "",
  hostname: "",
  port: "",
  escapedPath: "",
  base: "",
  rawQuery: undefined,
};

/** Parses the parameters of a query. Malformed parameters are skipped; if there are too many, all are. */
function queryOf(text: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  const parameters = text.split("&");
  if (parameters.length > PARAMETERS_MAX) return values;
  for (const parameter of parameters) {
    if (parameter === "" || parameter.includes(";") || malformedEscape(parameter) !== undefined) continue;
    const equals = parameter.indexOf("=");
    const key = unescapeQuery(equals < 0 ? parameter : parameter.slice(0, equals));
    const value = unescapeQuery(equals < 0 ? "" : parameter.slice(equals + 1));
    const known = values.get(key);
    if (known === undefined) values.set(key, [value]);
    else known.push(value);
  }
  return values;
}

function unescapeQuery(text: string): string {
  return unescapePercent(text.replaceAll("+", " "));
}
