import { containsIp, parseCidr, parseIp } from "@levelset/core/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { clusterIpProblem, nextClusterIp, nextNodePort, nodePortProblem, SERVICE_CIDR } from "./allocation.ts";

const NONE = { hasAddress: () => false, hasNodePort: () => false };

test("an allocated address is in the range, deterministic, and not taken", () => {
  const network = parseCidr(SERVICE_CIDR);
  fc.assert(
    fc.property(fc.string(), (key) => {
      const first = nextClusterIp(key, NONE) ?? "";
      const second = nextClusterIp(key, { ...NONE, hasAddress: (address) => address === first }) ?? "";
      expect(nextClusterIp(key, NONE)).toBe(first);
      expect(second).not.toBe(first);
      for (const address of [first, second]) expect(containsIp(network, parseIp(address))).toBe(true);
    }),
  );
});

test("node ports run out only when all are taken", () => {
  expect(nextNodePort("a", { ...NONE, hasNodePort: (port) => port !== 31_000 })).toBe(31_000);
  expect(nextNodePort("a", { ...NONE, hasNodePort: () => true })).toBeUndefined();
});

test("a requested value must be in range and free", () => {
  expect(clusterIpProblem("10.96.0.9", NONE)).toBeUndefined();
  const hasAddress = (address: string): boolean => address === "10.96.0.9";
  expect(clusterIpProblem("10.96.0.9", { ...NONE, hasAddress })).toBe("provided IP is already allocated");
  expect(clusterIpProblem("1.2.3.4", NONE)).toContain("is not in the valid range");
  expect(nodePortProblem(80, NONE)).toContain("is not in the valid range");
});
