import * as fc from "fast-check";
import { expect, test } from "vitest";
import { IpError } from "./net-errors.ts";
import {
  formatIp,
  isCanonicalIp,
  isGlobalUnicast,
  isIp,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isLoopbackHost,
  isUnspecified,
  parseIp,
} from "./ip.ts";

const address = fc.oneof(fc.ipV4(), fc.ipV6()).filter(isIp);

/** Returns the error message for a text. */
function errorOf(text: string): string {
  try {
    parseIp(text);
  } catch (error) {
    if (error instanceof IpError) return error.message;
    throw error;
  }
  return "the text was accepted";
}

test("addresses round-trip through formatting and parsing, and the canonical form is stable", () => {
  fc.assert(
    fc.property(address, (text) => {
      const canonical = formatIp(parseIp(text));
      expect(parseIp(canonical)).toEqual(parseIp(text));
      expect(formatIp(parseIp(canonical))).toBe(canonical);
      expect(isCanonicalIp(canonical)).toBe(true);
      expect(isCanonicalIp(text)).toBe(text === canonical);
    }),
    { numRuns: 1_000 },
  );
});

test("every number of 128 bits has one text", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }), (value) => {
      fc.pre(value >> 32n !== 0xffffn);
      expect(parseIp(formatIp({ family: 6, value }))).toEqual({ family: 6, value });
    }),
  );
});

test.each([
  ["0.0.0.0", "0.0.0.0"],
  ["192.168.0.1", "192.168.0.1"],
  ["::", "::"],
  ["::1", "::1"],
  ["1::", "1::"],
  ["0:0:0:0:0:0:0:1", "::1"],
  ["2001:DB8::0:1", "2001:db8::1"],
  ["2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
  ["1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"],
  ["1:0:0:2:0:0:0:3", "1:0:0:2::3"],
  ["0001:0002::", "1:2::"],
  ["::1.2.3.4", "::102:304"],
  ["64:ff9b::192.0.2.33", "64:ff9b::c000:221"],
  ["1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"],
])("%s is written %s", (text, canonical) => {
  expect(formatIp(parseIp(text))).toBe(canonical);
});

test.each([
  ["", "unable to parse IP"],
  ["a", "unable to parse IP"],
  ["%eth0", "missing IPv6 address"],
  ["1.2.3", "IPv4 address too short"],
  ["1.2.3.4.5", "IPv4 address too long"],
  ["1.2.3.256", "IPv4 field has value >255"],
  ["1.2.3.04", "IPv4 field has octet with leading zero"],
  ["1..2.3", "IPv4 field must have at least one digit"],
  ["1.2.3.x", "unexpected character"],
  [" 1.2.3.4", "unexpected character"],
  [":1", "each colon-separated field must have at least one digit"],
  [":::", "each colon-separated field must have at least one digit"],
  ["1:2", "address string too short"],
  ["1:2:3:4:5:6:7:8:9", "trailing garbage after address"],
  ["1::2::3", "multiple :: in address"],
  ["1:2:3:4::5:6:7:8", "the :: must expand to at least one field of zeros"],
  ["12345::", "each group must have 4 or less hexadecimal digits"],
  ["1.2.3.4::", "unexpected character"],
  ["1:2.3.4.5::", "each group must have"],
  ["::1.2.3", "IPv4 address too short"],
  ["fe80::1%", "zone must be a non-empty string"],
])("%j is rejected: %s", (text, problem) => {
  expect(isIp(text)).toBe(false);
  expect(errorOf(text)).toContain(problem);
});

test("zones and IPv4-mapped IPv6 addresses are rejected", () => {
  expect(errorOf("fe80::1%eth0")).toBe('IP address "fe80::1%eth0" with zone value is not allowed');
  expect(errorOf("::ffff:1.2.3.4")).toBe('IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed');
  expect(isIp("fe80::1%eth0") || isIp("::ffff:1.2.3.4")).toBe(false);
  expect(() => isCanonicalIp("::ffff:1.2.3.4")).toThrow(IpError);
});

test.each(["localhost", "127.0.0.1", "127.0.0.2", "::1", "[::1]"])("%s is a host on loopback", (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

test.each([
  "127.example.com",
  "localhost.example.com",
  "10.0.0.1",
  "0.0.0.0",
  "[::2]",
  "::ffff:127.0.0.1",
  "",
  "127.1",
])("%j is not a host on loopback", (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});

/** Returns the classes of an address. */
function kindsOf(text: string): string {
  const ip = parseIp(text);
  const kinds = { isUnspecified, isLoopback, isLinkLocalMulticast, isLinkLocalUnicast, isGlobalUnicast };
  return Object.entries(kinds)
    .filter(([, is]) => is(ip))
    .map(([name]) => name)
    .join();
}

test.each([
  ["0.0.0.0", "isUnspecified"],
  ["::", "isUnspecified"],
  ["127.255.0.1", "isLoopback"],
  ["::1", "isLoopback"],
  ["224.0.0.1", "isLinkLocalMulticast"],
  ["224.0.1.1", ""],
  ["ff02::1", "isLinkLocalMulticast"],
  ["ff12::1", "isLinkLocalMulticast"],
  ["ff05::1", ""],
  ["169.254.169.254", "isLinkLocalUnicast"],
  ["fe80::1", "isLinkLocalUnicast"],
  ["febf::1", "isLinkLocalUnicast"],
  ["fec0::1", "isGlobalUnicast"],
  ["fd80::1", "isGlobalUnicast"],
  ["10.0.0.1", "isGlobalUnicast"],
  ["2001:db8::abcd", "isGlobalUnicast"],
  ["255.255.255.255", ""],
])("%s is %s", (text, kinds) => {
  expect(kindsOf(text)).toBe(kinds);
});

test("long hostile strings are rejected in linear time", () => {
  for (const part of ["0", ":", ".", "::", "f:", "1.", "%", "0."]) expect(isIp(part.repeat(50_000))).toBe(false);
});
