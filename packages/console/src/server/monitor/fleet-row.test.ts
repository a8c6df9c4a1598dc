import type { WireResource } from "@levelset/fleet/client";
import { describe, expect, test } from "vitest";
import { adapterCell, fleetRow } from "./fleet-row.ts";

const KIND = { kind: "Cluster", plural: "clusters", parentKind: undefined, requiredAdapters: ["dns"] };

/** Returns a resource at generation 2 with these conditions: type, status and observed generation. */
function resource(statuses: Readonly<Record<string, readonly [string, number]>>): WireResource {
  const conditions = Object.entries(statuses).map(([type, [status, observed]]) => ({
    type,
    status,
    message: `${type} is ${status}`,
    observed_generation: observed,
    last_transition_time: "2026-01-01T00:00:00Z",
  }));
  // Only the fields that a row is computed from.
  return { id: "1", kind: "Cluster", name: "eu-1", generation: 2, status: { conditions } } as unknown as WireResource;
}

describe("a row of a fleet", () => {
  test("is ready only if Ready is True for the latest generation", () => {
    const stateAt = (observed: number): string =>
      fleetRow(resource({ Ready: ["True", observed], DnsSuccessful: ["True", 2] }), KIND).state;
    expect([1, 2, 3].map(stateAt)).toEqual(["progressing", "ready", "progressing"]);
  });

  test("counts the result of an adapter only if it is about the latest generation", () => {
    const stateAt = (status: string, observed: number): string =>
      adapterCell(resource({ DnsSuccessful: [status, observed] }), "dns").state;
    expect([1, 2, 3].map((observed) => stateAt("True", observed))).toEqual(["progressing", "ready", "progressing"]);
    expect([1, 2, 3].map((observed) => stateAt("False", observed))).toEqual(["progressing", "degraded", "progressing"]);
    expect(adapterCell(resource({}), "dns").state).toBe("unknown");
  });

  test("is Unknown before the first report, and Degraded if an adapter failed at the latest generation", () => {
    expect(fleetRow(resource({ Ready: ["False", 2] }), KIND).state).toBe("unknown");
    expect(fleetRow(resource({ Ready: ["False", 2], DnsSuccessful: ["False", 1] }), KIND).state).toBe("progressing");
    expect(fleetRow(resource({ Ready: ["False", 2], DnsSuccessful: ["False", 2] }), KIND).state).toBe("degraded");
  });

  test("shows what it waits for, even if that is not an adapter", () => {
    expect(fleetRow(resource({ Ready: ["False", 2] }), KIND).message).toBe("waiting for dns");
    const done = resource({ Ready: ["False", 2], DnsSuccessful: ["True", 2] });
    expect(fleetRow(done, KIND).message).toBe("Ready is False");
  });
});
