import { seededRandom } from "@levelset/core/testing";
import { expect, test } from "vitest";
import { drawFaults, drawnFaultNames } from "./draw-faults.ts";
import type { FaultSites } from "./draw-faults.ts";
import { faultName } from "./fault-name.ts";
import type { PlannedFault } from "./planned-fault.ts";

const SITES: FaultSites = { writes: [4, 0, 9], reads: [3, 0, 1], hasExternal: true, totalMs: 60_000 };

function drawMany(sites: FaultSites): readonly (readonly PlannedFault[])[] {
  return Array.from({ length: 2_000 }, (_, seed) => drawFaults(seededRandom(seed), sites));
}

test("equal seeds draw equal faults, one to three beside that of a lease, in the order of their operations", () => {
  const drawn = drawMany(SITES);
  expect(drawMany(SITES)).toEqual(drawn);
  for (const faults of drawn) {
    const count = faults.filter((fault) => !("on" in fault && fault.on === "lease")).length;
    expect([1, 2, 3]).toContain(count);
    expect(faults.map(({ at }) => at)).toEqual(faults.map(({ at }) => at).toSorted((a, b) => a - b));
  }
});

test("every kind of fault and every target is drawn", () => {
  const faults = drawMany(SITES).flat();
  expect(new Set(faults.map(({ kind }) => kind)).size).toBe(10);
  const targets = faults.flatMap((fault) => (fault.kind === "request" ? [fault.on ?? "write"] : []));
  expect(new Set(targets)).toEqual(new Set(["write", "read", "lease"]));
  const stalls = faults.flatMap((fault) => (fault.kind === "leader-change" ? [fault.stallMs] : []));
  expect(new Set(stalls)).toEqual(new Set([undefined, 700_000]));
});

test.each([true, false])("the names of faults are those that are drawn, also with hasExternal %s", (hasExternal) => {
  const drawn = new Set(
    drawMany({ ...SITES, hasExternal })
      .flat()
      .map(faultName),
  );
  expect([...drawn].toSorted()).toEqual(drawnFaultNames({ hasExternal }).toSorted());
});

test("the n-th request is one that the operation has without faults, or the first one", () => {
  for (const fault of drawMany(SITES).flat()) {
    if (fault.kind !== "request" || fault.on === "lease") continue;
    const requests = (fault.on === "read" ? SITES.reads : SITES.writes)[fault.at] ?? 0;
    expect(fault.nth).toBeGreaterThanOrEqual(1);
    expect(fault.nth).toBeLessThanOrEqual(Math.max(1, requests));
  }
});

test("a lease fails only where a leader dies, and no leader dies in a history of days", () => {
  for (const faults of drawMany(SITES)) {
    const isElected = faults.some(({ kind }) => kind === "leader-change");
    expect(isElected || !faults.some((fault) => "on" in fault && fault.on === "lease")).toBe(true);
  }
  const long = drawMany({ ...SITES, totalMs: 86_400_000 }).flat();
  expect(long.filter(({ kind }) => kind === "leader-change")).toEqual([]);
});
