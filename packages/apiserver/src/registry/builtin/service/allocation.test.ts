import { containsIp, parseCidr, parseIp } from "@levelset/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addressProblem, freeAddress, freeNodePort, nodePortProblem, SERVICE_NETWORK } from "./allocation.ts";

const NONE = { hasAddress: () => false, hasNodePort: () => false };

test("an address is one of the network, the same each time, and never one that is taken", () => {
  const network = parseCidr(SERVICE_NETWORK);
  fc.assert(
    fc.property(fc.string(), (key) => {
      const first = freeAddress(key, NONE) ?? "";
      const second = freeAddress(key, { ...NONE, hasAddress: (address) => address === first }) ?? "";
      expect(freeAddress(key, NONE)).toBe(first);
      expect(second).not.toBe(first);
      for (const address of [first, second]) expect(containsIp(network, parseIp(address))).toBe(true);
    }),
  );
});

test("node ports run out only when all are taken", () => {
  expect(freeNodePort("a", { ...NONE, hasNodePort: (port) => port !== 31_000 })).toBe(31_000);
  expect(freeNodePort("a", { ...NONE, hasNodePort: () => true })).toBeUndefined();
});

test("what is asked for must be in range and free", () => {
  expect(addressProblem("10.96.0.9", NONE)).toBeUndefined();
  const hasAddress = (address: string): boolean => address === "10.96.0.9";
  expect(addressProblem("10.96.0.9", { ...NONE, hasAddress })).toBe("provided IP is already allocated");
  expect(addressProblem("1.2.3.4", NONE)).toContain("is not in the valid range");
  expect(nodePortProblem(80, NONE)).toContain("is not in the valid range");
});
