import type { HttpRequest } from "@levelset/core/http";

/** Host names of loopback. Other names are refused, which prevents DNS rebinding. */
const LOCAL_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/u;

/**
 * Headers of every response. Only scripts, styles and requests of the console are allowed. Framing is denied. Trusted
 * Types prevent that text of objects is interpreted as markup.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Reports whether the Host header of a request is a name of loopback. */
export function isLocal({ headers }: HttpRequest): boolean {
  return LOCAL_HOST.test(headers.get("host") ?? "");
}

/** Reports whether a request comes from a page of this console, by its Sec-Fetch-Site and Origin headers. */
export function isSameOrigin({ headers }: HttpRequest): boolean {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  return (
    (site === null || site === "same-origin" || site === "none") &&
    (origin === null || origin === `http://${headers.get("host")}`)
  );
}

/** Returns a cookie of a request, or the empty string. */
export function cookieOf({ headers }: HttpRequest, name: string): string {
  const cookies = (headers.get("cookie") ?? "").split(";").map((each) => each.trim());
  return cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
}
