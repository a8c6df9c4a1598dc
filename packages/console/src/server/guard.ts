import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Names by which a browser on this machine reaches it. Others may be a page of elsewhere that points its name here. */
const LOCAL_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/u;

/**
 * What every page gets. Scripts, styles and requests are the console's own, nothing may frame it, and texts of objects cannot become
 * markup even by mistake.
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

/** Whether a request was sent to this machine by one of its own names. */
export function isLocal(request: IncomingMessage): boolean {
  return LOCAL_HOST.test(request.headers.host ?? "");
}

/** Whether a page of this console asks, as far as the browser says. */
export function isSameOrigin(request: IncomingMessage): boolean {
  const site = request.headers["sec-fetch-site"];
  const { origin, host } = request.headers;
  return (
    (site === undefined || site === "same-origin" || site === "none") &&
    (origin === undefined || origin === `http://${host}`)
  );
}

/** Whether two secrets are the same; how long it takes does not say how much of them. */
export function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** A cookie of a request; empty when there is none. */
export function cookieOf(request: IncomingMessage, name: string): string {
  const cookies = (request.headers.cookie ?? "").split(";").map((each) => each.trim());
  return cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
}
