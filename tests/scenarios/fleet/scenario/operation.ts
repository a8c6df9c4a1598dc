import { readKinds } from "@levelset/fleet";
import { describe, expect, test } from "vitest";
import { ATTACKS } from "../../../faults/fleet/fuzz/corpus.ts";
import { API_BASE, FleetHttpClient } from "../../../support/fleet/http.ts";
import { ENTITIES } from "../../../support/fleet/running-fleet.ts";
import type { RunningFleet, StartFleet } from "../../../support/fleet/running-fleet.ts";
import type { WireCondition } from "../../../support/fleet/wire.ts";

/** A custom condition, which requires a number once the report mentions quota. */
const QUOTA = {
  type: "QuotaValid",
  when: { expression: "statuses.exists(s, s.conditions.exists(c, c.type == 'QuotaSufficient'))" },
  output: {
    status: {
      expression: "statuses.exists(s, s.conditions.exists(c, c.type == 'QuotaSufficient' && c.status == 'True'))",
    },
    reason: { expression: "'QuotaChecked'" },
    message: { expression: "'Quota: ' + string(statuses.filter(s, s.adapter == 'validation')[0].data.free)" },
  },
};

function entitiesWith(condition: unknown): readonly unknown[] {
  return ENTITIES.map((entity) => {
    // The kinds of the scenarios are plain objects.
    const declared = entity as Readonly<Record<string, unknown>>;
    return declared["kind"] === "Cluster" ? { ...declared, conditions: [condition] } : declared;
  });
}

/** Custom rules of a kind, and metrics. */
export function describeOperation(start: StartFleet): void {
  describe("custom rules", () => {
    describeRules(start);
  });
  describe("figures", () => {
    describeFigures(start);
  });
}

function describeRules(start: StartFleet): void {
  const usual = ["Available", "Applied", "Health"].map((type) => ({ type, status: "True" }));
  const conditions = [...usual, { type: "QuotaSufficient", status: "True" }];
  const quotaOf = async ({ user }: RunningFleet, id: string): Promise<WireCondition | undefined> =>
    (await user.read(id)).status.conditions.find(({ type }) => type === "QuotaValid");

  test("a custom condition appears when its rule matches, and not otherwise", async () => {
    await using ruled = await start({ entities: entitiesWith(QUOTA) });
    await using plain = await start();
    const observed: unknown[] = [];
    for (const fleet of [ruled, plain]) {
      const { id } = await fleet.user.cluster();
      await fleet.user.report(id, "dns", 1, "True");
      expect(await quotaOf(fleet, id)).toBeUndefined();
      await fleet.user.report(id, "validation", 1, "", { conditions, data: { free: 7 } });
      observed.push(await quotaOf(fleet, id));
    }
    const expected = { status: "True", reason: "QuotaChecked", message: "Quota: 7" };
    expect(observed).toEqual([expect.objectContaining(expected), undefined]);
  });

  test("a failing rule is a 500 that names it, and the report is not stored", async () => {
    await using fleet = await start({ entities: entitiesWith(QUOTA) });
    const { user } = fleet;
    const cluster = await user.cluster();
    const failed = await user.report(cluster.id, "validation", 1, "", { conditions, data: { secret: "s3cret" } });
    expect(failed.problemSummary).toBe("500 INT-001");
    expect(failed.problem.detail).toContain("QuotaValid");
    expect(failed.text).not.toContain("s3cret");
    expect((await user.http.get(`${cluster.href}/statuses`)).statuses.total).toBe(0);
    expect(await user.read(cluster)).toEqual(cluster);
  });

  test("attacks in data that a rule reads stay plain strings", async () => {
    await using fleet = await start({ entities: entitiesWith(QUOTA) });
    const { user } = fleet;
    const { id } = await user.cluster();
    for (const attack of ATTACKS.filter((each) => each.isWellFormed() && !each.includes("\0") && each.length < 500)) {
      const response = await user.report(id, "validation", 1, "", { conditions, data: { free: attack } });
      expect([attack, response.status]).toEqual([attack, 201]);
      expect((await quotaOf(fleet, id))?.message).toBe(`Quota: ${attack}`);
    }
  });

  test("a kind cannot define a reserved condition", () => {
    for (const type of ["Reconciled", "LastKnownReconciled", "Ready", "Available", "DnsSuccessful"]) {
      expect(() => readKinds(entitiesWith({ ...QUOTA, type }))).toThrow(`the type ${type} is reserved`);
    }
  });
}

function describeFigures(start: StartFleet): void {
  test("a report costs at most four statements, whatever its content", async () => {
    await using fleet = await start();
    const { user, store } = fleet;
    const cluster = await user.cluster();
    const costs: number[] = [];
    for (const available of ["True", "False", "Unknown", "True"]) {
      const before = store.statements;
      await user.report(cluster.id, "dns", 1, available);
      costs.push(store.statements - before);
    }
    expect(Math.max(...costs)).toBeLessThanOrEqual(4);
  });

  test("requests are counted by route, and pending resources are exported until there are none", async () => {
    await using fleet = await start();
    using metrics = new FleetHttpClient(fleet.metricsUrl);
    const lines = async (name: string): Promise<readonly string[]> =>
      (await metrics.get("/metrics")).text.split("\n").filter((line) => line.startsWith(name));
    const pending = "hyperfleet_api_resource_pending_reconciliation";
    expect(await lines(`${pending}{`)).toEqual([]);
    const cluster = await fleet.user.cluster();
    await fleet.user.read(cluster);
    expect((await lines(`${pending}{`)).map((line) => line.split(" ").at(-1))).toEqual(["1"]);
    const requests = await lines("hyperfleet_api_requests_total{");
    const read = requests.filter(
      (line) => line.includes(`path="${API_BASE}/clusters/-"`) && line.includes('method="GET"'),
    );
    expect(read.map((line) => line.split(" ").at(-1))).toEqual(["1"]);
    expect(requests.join("\n")).not.toContain(cluster.id);
    await fleet.user.all(cluster.id, 1, "True");
    expect(await lines(`${pending}{`)).toEqual([]);
  });
}
