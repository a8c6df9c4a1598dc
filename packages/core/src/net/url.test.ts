import * as fc from "fast-check";
import { expect, test } from "vitest";
import { UrlError } from "./net-errors.ts";
import { isUrl, parseUrl } from "./url.ts";

const piece = fc.constantFrom(
  ..."http: https: x: // / a b.c @ u:p [::1] [fe80::1%25e] % %20 %2f %e4%bd%a0 %ff ? # & = ; :80 : ä * + ' ( [ ]".split(
    " ",
  ),
);

/** Returns the error message for a text, without the text. */
function errorOf(text: string): string {
  try {
    parseUrl(text);
  } catch (error) {
    if (error instanceof UrlError) return error.message.replace(/^.*: parse ".*?[^\\]?": /, "");
    throw error;
  }
  return "the text was accepted";
}

test("a URL in its normal form reads as the same URL", () => {
  fc.assert(
    fc.property(fc.constantFrom("http://a", "x://", ""), fc.array(piece, { maxLength: 8 }), (start, pieces) => {
      const text = start + pieces.join("");
      const accepted = errorOf(text) === "the text was accepted";
      expect(accepted && !isUrl(text)).toBe(false);
      if (!accepted) return;
      const url = parseUrl(text);
      // Without a host, the normal form of some paths is parsed differently, in Go as well; so is a zone with trailing
      // text.
      fc.pre(url.scheme !== "" && url.host !== "" && !/%25e\].*\]/u.test(text));
      expect(parseUrl(url.text)).toEqual(url);
    }),
    { numRuns: 3_000 },
  );
});

test("a URL is taken apart", () => {
  const url = parseUrl("HTTPS://User:p%40ss@Example.com:8443/a%2Fb/ä?k=1&k=2&x=a+b%20c&bad=%zz&semi;colon&flag#frag");
  expect(url).toEqual({
    scheme: "https",
    host: "Example.com:8443",
    hostname: "Example.com",
    port: "8443",
    escapedPath: "/a/b/%C3%A4",
    query: new Map([
      ["k", ["1", "2"]],
      ["x", ["a b c"]],
      ["flag", [""]],
    ]),
    text: "https://User:p%40ss@Example.com:8443/a/b/%C3%A4?k=1&k=2&x=a+b%20c&bad=%zz&semi;colon&flag#frag",
  });
  expect(parseUrl("http://h/a%2Fb").escapedPath).toBe("/a%2Fb");
});

test.each([
  ["/", { scheme: "", host: "", escapedPath: "/" }],
  ["/a?b", { scheme: "", escapedPath: "/a", text: "/a?b" }],
  ["*", { escapedPath: "*", text: "*" }],
  ["mailto:a@b", { scheme: "mailto", host: "", escapedPath: "", text: "mailto:a@b" }],
  ["//host/path", { host: "host", escapedPath: "/path" }],
  ["http://[::1]:80", { host: "[::1]:80", hostname: "::1", port: "80" }],
  ["http://[::ffff:1.2.3.4]", { hostname: "::ffff:1.2.3.4" }],
  ["http://[fe80::1%25eth0]/", { host: "[fe80::1%eth0]", text: "http://[fe80::1%25eth0]/" }],
  ["http://a:", { host: "a:", hostname: "a", port: "" }],
  ["mongodb://a:1,b:2/db", { host: "a:1,b:2", hostname: "a:1,b", port: "2" }],
  ["http://%E4%BD%A0/", { host: "你", text: "http://%E4%BD%A0/" }],
  ["http://a?", { text: "http://a?", escapedPath: "" }],
  ["http:///p", { host: "", escapedPath: "/p", text: "http:///p" }],
  ["x:/p", { scheme: "x", escapedPath: "/p", text: "x:/p" }],
  ["http://@a", { host: "a", text: "http://@a" }],
])("%s has the parts of Go's url.Parse", (text, parts) => {
  expect(parseUrl(text)).toMatchObject(parts);
});

test.each([
  ["", "empty url"],
  ["a/b", "invalid URI for request"],
  ["../a", "invalid URI for request"],
  ["#a", "invalid URI for request"],
  [":a", "missing protocol scheme"],
  ["1http://a", "invalid URI for request"],
  ["/a%2", 'invalid URL escape "%2"'],
  ["/a%zz", 'invalid URL escape "%zz"'],
  ["http://a b/", 'invalid character " " in host name'],
  ["http://a%41/", 'invalid URL escape "%41"'],
  ["http://a:b/", 'invalid port ":b" after host'],
  ["http://a:1:2/", 'invalid port ":1:2" after host'],
  ["http://[::1", "missing ']' in host"],
  ["http://a[::1]", "invalid IP-literal"],
  ["http://[1.2.3.4]", "invalid IP-literal"],
  ["http://[::1]a", 'invalid port "a" after host'],
  ["http://[::1%25%2f]", 'invalid URL escape "%2f"'],
  ["http://u%@a", 'invalid URL escape "%"'],
  ["http://u^@a", "net/url: invalid userinfo"],
  ["http://a#b", 'invalid character "#" in host name'],
])("%j is rejected: %s", (text, reason) => {
  expect(errorOf(text)).toBe(reason);
  expect(isUrl(text)).toBe(false);
});

test("a fragment is checked by url() only, since isURL() does not know of fragments", () => {
  expect(isUrl("/a?b#%zz")).toBe(true);
  expect(errorOf("/a?b#%zz")).toBe('invalid URL escape "%zz"');
  expect(parseUrl("/a#b c").text).toBe("/a#b%20c");
});

test("control characters are refused, in a message of one line", () => {
  expect(errorOf("/a\nb")).toBe("net/url: invalid control character in URL");
  expect(() => parseUrl("/a\nb")).toThrow(/^[^\n]*$/);
});

test("a query of too many parameters has none", () => {
  expect(parseUrl(`/?${"a&".repeat(9_999)}`).query.get("a")).toHaveLength(9_999);
  expect(parseUrl(`/?${"a&".repeat(10_000)}`).query.size).toBe(0);
});

test("long hostile strings are rejected in linear time", () => {
  for (const part of ["/", "%", "%2", "%ff", ":", "@", "[", "]", "?", "#", "&", "a", "ä", "[::1]", "a:", "%25"]) {
    const hostile = part.repeat(50_000);
    for (const prefix of ["", "/", "http://", "http://[::1%25", "x:"]) {
      expect(isUrl(`${prefix}${hostile}\n`)).toBe(false);
      expect(typeof isUrl(prefix + hostile)).toBe("boolean");
      expect(errorOf(prefix + hostile)).toBeTypeOf("string");
    }
  }
});
