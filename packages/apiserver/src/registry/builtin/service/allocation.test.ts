import { containsIp, parseCidr, parseIp } from "@levelset/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addressProblem,
  freeAddress,
  freeNodePort,
  NODE_PORT_MAX,
  NODE_PORT_MIN,
  nodePortProblem,
  SERVICE_NETWORK,
} from "./allocation.ts";

const NONE = { addresses: new Set<string>(), nodePorts: new Set<number>() };

test("an address is one of the network, the same each time, and never one that is taken", () => {
  const network = parseCidr(SERVICE_NETWORK);
  fc.assert(
    fc.property(fc.string(), (key) => {
      const first = freeAddress(key, NONE) ?? "";
      const second = freeAddress(key, { ...NONE, addresses: new Set([first]) }) ?? "";
      expect(freeAddress(key, NONE)).toBe(first);
      expect(second).not.toBe(first);
      for (const address of [first, second]) expect(containsIp(network, parseIp(address))).toBe(true);
    }),
  );
});

test("node ports run out only when all are taken", () => {
  const all = Array.from({ length: NODE_PORT_MAX - NODE_PORT_MIN + 1 }, (_, n) => NODE_PORT_MIN + n);
  const butOne = new Set(all.filter((port) => port !== 31_000));
  expect(freeNodePort("a", { ...NONE, nodePorts: butOne })).toBe(31_000);
  expect(freeNodePort("a", { ...NONE, nodePorts: new Set(all) })).toBeUndefined();
});

test("what is asked for must be in range and free", () => {
  expect(addressProblem("10.96.0.9", NONE)).toBeUndefined();
  expect(addressProblem("10.96.0.9", { ...NONE, addresses: new Set(["10.96.0.9"]) })).toBe(
    "provided IP is already allocated",
  );
  expect(addressProblem("1.2.3.4", NONE)).toContain("is not in the valid range");
  expect(nodePortProblem(80, NONE)).toContain("is not in the valid range");
});
