import * as fc from "fast-check";
import { expect, test } from "vitest";
import { containsCidr, containsIp, formatCidr, isCidr, maskCidr, parseCidr } from "./cidr.ts";
import type { Cidr } from "./cidr.ts";
import { CidrError } from "./net-errors.ts";
import { isIp, parseIp } from "./ip.ts";

const ip4 = fc.ipV4().map(parseIp);
const ip6 = fc.ipV6().filter(isIp).map(parseIp);
const cidr4: fc.Arbitrary<Cidr> = fc.record({ ip: ip4, prefixLength: fc.integer({ min: 0, max: 32 }) });
const cidr6: fc.Arbitrary<Cidr> = fc.record({ ip: ip6, prefixLength: fc.integer({ min: 0, max: 128 }) });
const cidr = fc.oneof(cidr4, cidr6);

test("networks round-trip through formatting and parsing", () => {
  fc.assert(
    fc.property(cidr, (value) => {
      expect(parseCidr(formatCidr(value))).toEqual(value);
    }),
  );
});

test("a network contains its own address, and masking it changes nothing but bits after the prefix", () => {
  fc.assert(
    fc.property(cidr, (value) => {
      const masked = maskCidr(value);
      expect(containsIp(value, value.ip)).toBe(true);
      expect(containsIp(value, masked.ip)).toBe(true);
      expect(containsIp(masked, value.ip)).toBe(true);
      expect(containsCidr(value, masked) && containsCidr(masked, value)).toBe(true);
      expect(maskCidr(masked)).toEqual(masked);
    }),
  );
});

test("a network contains another if it contains its address and has no longer prefix", () => {
  fc.assert(
    fc.property(cidr, cidr, (a, b) => {
      expect(containsCidr(a, b)).toBe(a.prefixLength <= b.prefixLength && containsIp(a, b.ip));
      expect(containsCidr(a, b) && containsCidr(b, a)).toBe(formatCidr(maskCidr(a)) === formatCidr(maskCidr(b)));
    }),
  );
});

test("a network contains its addresses", () => {
  const network = parseCidr("192.168.0.0/24");
  expect(containsIp(network, parseIp("192.168.0.255"))).toBe(true);
  expect(containsIp(network, parseIp("192.168.1.0"))).toBe(false);
  expect(containsIp(parseCidr("::/0"), parseIp("192.168.0.1"))).toBe(false);
  expect(containsIp(parseCidr("0.0.0.0/0"), parseIp("1.2.3.4"))).toBe(true);
  expect(containsCidr(network, parseCidr("192.168.0.128/25"))).toBe(true);
  expect(containsCidr(network, parseCidr("192.168.0.0/23"))).toBe(false);
  expect(formatCidr(maskCidr(parseCidr("2001:db8::ff/64")))).toBe("2001:db8::/64");
});

test.each([
  "",
  "1.2.3.4",
  "1.2.3.4/",
  "1.2.3.4/33",
  "1.2.3.4/032",
  "1.2.3.4/+8",
  "1.2.3.4/-1",
  "1.2.3.4/a",
  "1.2.3.4/9999",
  "::1/129",
  "01.2.3.4/8",
  "1.2.3/8",
  "1.2.3.4/8/8",
  "::ffff:1.2.3.4/104",
  "fe80::1%eth0/64",
  " 1.2.3.4/8",
])("%j is not a network", (text) => {
  expect(isCidr(text)).toBe(false);
  expect(() => parseCidr(text)).toThrow(CidrError);
});

test("long hostile strings are rejected in linear time", () => {
  for (const part of ["0", "/", "1.2.3.4/", "::", "1/"]) expect(isCidr(part.repeat(50_000))).toBe(false);
});
