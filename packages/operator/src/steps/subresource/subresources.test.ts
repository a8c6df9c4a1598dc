import { severityRank } from "@levelset/core/internal";
import { isWrite } from "@levelset/core/testing";
import type { Fault } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { operator } from "../../manager/index.ts";
import type { Operator } from "../../manager/index.ts";
import { combineResults, fail, ok, requeueAfter, resultCondition, step, terminal, wait } from "../../engine/index.ts";
import type { Result } from "../../engine/index.ts";
import { collectResults } from "../collect-results.ts";
import { Child, childOperator, Parent, reportStatus } from "../child/parent-child.fixture.ts";
import type { SubCrOwnership } from "./sub-crs.ts";
import { subresources } from "./subresources.ts";

/** A parent with a child for every member. */
function parentOperator(hold: SubCrOwnership = {}): Operator<Parent> {
  const members = subresources(Parent, "Members", {
    condition: "MembersReady",
    kind: Child,
    ...hold,
    desired: ({ name, spec }) =>
      spec.members.map((member) => ({ metadata: { name: `${name}-${member}` }, spec: { value: spec.value } })),
  });
  const sum = step(Parent, "Sum", {
    uses: [members],
    do: (req) => {
      req.status.sum = req.from(members).reduce((total, { status }) => total + (status?.seen ?? 0), 0);
      return ok();
    },
  });
  return operator(Parent, [members, sum]);
}

describe("a set of sub CRs", () => {
  test("has the readiness of the worst member, which is named", async () => {
    await using cluster = await testCluster({ kinds: [Child] });
    cluster.run(parentOperator());
    await cluster.apply(Parent, { name: "p", spec: { value: 1, members: ["a", "b", "c"] } });
    await cluster.untilIdle();
    await reportStatus(cluster, "p-a", 1, "False", { severity: "Info", reason: "Requested", message: "starting" });
    await reportStatus(cluster, "p-b", 1, "False", { severity: "Warning", reason: "Slow", message: "slow disk" });
    expect(await cluster.untilSettled(Parent, "p")).toHaveCondition("MembersReady", "False", {
      severity: "Warning",
      reason: "Slow",
      message: "child/p-b: slow disk (3 of 3 are not ready)",
    });
    await reportStatus(cluster, "p-b", 1, "True");
    await reportStatus(cluster, "p-a", 1, "True");
    expect(await cluster.untilSettled(Parent, "p")).toHaveCondition("MembersReady", "Unknown", {
      message: "child/p-c: not reconciled yet",
    });
    await reportStatus(cluster, "p-c", 1, "True");
    expect(await cluster.untilSettled(Parent, "p")).toBeReady();
  });

  test("loses a member only after the others are ready, protected or not", async () => {
    await using cluster = await testCluster();
    cluster.run(parentOperator({ protect: true }));
    cluster.run(childOperator());
    await cluster.apply(Parent, { name: "p", spec: { value: 1, members: ["a", "b"] } });
    await cluster.clock.advance(5_000);
    expect((await cluster.untilSettled(Parent, "p")).status?.sum).toBe(2);
    await cluster.patch(Parent, "p", { spec: { members: ["b", "c"] } });
    await cluster.untilIdle();
    expect((await cluster.list(Child)).map(({ metadata }) => metadata.name)).toEqual(["p-a", "p-b", "p-c"]);
    await cluster.clock.advance(5_000);
    expect(await cluster.untilSettled(Parent, "p")).toBeReady();
    expect((await cluster.list(Child)).map(({ metadata }) => metadata.name)).toEqual(["p-b", "p-c"]);
  });

  test("may be empty", async () => {
    await using cluster = await testCluster({ kinds: [Child] });
    cluster.run(parentOperator());
    await cluster.apply(Parent, { name: "p", spec: { value: 1, members: [] } });
    expect(await cluster.untilSettled(Parent, "p")).toBeReady();
  });

  test("with two members of one name is rejected before any write", async () => {
    await using cluster = await testCluster({ kinds: [Child] });
    cluster.run(parentOperator());
    await cluster.apply(Parent, { name: "p", spec: { value: 1, members: ["a", "a"] } });
    expect(await cluster.untilSettled(Parent, "p")).toHaveCondition("MembersReady", "False", {
      severity: "Error",
      message: "step Members: two of the desired children are named p-a",
    });
    expect(await cluster.list(Child)).toEqual([]);
  });
});

describe("the combined result", () => {
  const reason = fc.string({ minLength: 1, maxLength: 5 });
  const severity = fc.constantFrom("Error", "Warning", "Info");
  const result: fc.Arbitrary<Result<number>> = fc.oneof(
    fc.nat(9).map((value) => ok(value)),
    fc.tuple(reason, severity).map(([text, how]) => wait(text, { severity: how })),
    reason.map((text) => wait(text, { status: "Unknown", reason: "Init" })),
    fc.tuple(reason, severity, fc.nat(99)).map(([text, how, ms]) => requeueAfter(text, ms, { severity: how })),
    reason.map((text) => fail(text)),
    reason.map((text) => terminal(text)),
  );
  const shown = (one: Result<unknown>): number => severityRank(resultCondition("", one));

  test("has the worst severity and the earliest requeue, and is ok only if all are", () => {
    fc.assert(
      fc.property(fc.array(result, { maxLength: 5 }), (results) => {
        const all = collectResults<number>(results);
        const together = combineResults(results);
        expect(all.kind).toBe(together.kind);
        expect(shown(all)).toBe(Math.min(4, ...results.map(shown)));
        expect(all.kind === "requeueAfter" ? all.afterMs : 0).toBe(
          together.kind === "requeueAfter" ? together.afterMs : 0,
        );
        expect(all.kind === "ok" ? all.value.length : results.length).toBe(results.length);
      }),
    );
  });
});

describe("at any one write", () => {
  const faults: readonly Fault[] = [
    { kind: "refused" },
    { kind: "response-lost" },
    { kind: "status", reason: "Conflict" },
    { kind: "crash" },
  ];

  /** Creates, changes, shrinks and deletes a set while the n-th write fails. Returns the number of writes. */
  async function lifeWithFault(nth: number, fault: Fault): Promise<number> {
    await using cluster = await testCluster({ seed: nth });
    let running = [parentOperator({ protect: true }), childOperator()].map((one) => cluster.run(one));
    cluster.faults.failNth(nth, fault, isWrite);
    const settle = async (): Promise<void> => {
      for (let round = 0; round < 2; round++) {
        await cluster.clock.advance(60_000);
        await cluster.untilIdle();
        if (!cluster.faults.isCrashed) continue;
        for (const one of running) await one.stop();
        cluster.faults.restart();
        running = [parentOperator({ protect: true }), childOperator()].map((one) => cluster.run(one));
      }
    };
    await cluster.apply(Parent, { name: "p", spec: { value: 1, members: ["a", "b"] } });
    await settle();
    expect((await cluster.untilSettled(Parent, "p")).status?.sum).toBe(2);
    await cluster.patch(Parent, "p", { spec: { value: 3, members: ["b"] } });
    await settle();
    const parent = await cluster.untilSettled(Parent, "p");
    expect(parent).toBeReady();
    expect(parent.status?.sum).toBe(3);
    expect((await cluster.list(Child)).map(({ metadata }) => metadata.name)).toEqual(["p-b"]);
    await cluster.delete(Parent, "p");
    await settle();
    await cluster.untilDeleted(Parent, "p");
    expect(await cluster.list(Child)).toEqual([]);
    return cluster.faults.count(isWrite);
  }

  test.each(faults.map((fault) => [fault.kind, fault] as const))(
    "%s: the set ends in the same state, and no objects are left behind",
    async (_kind, fault) => {
      const clean = await lifeWithFault(1_000, fault);
      expect(clean).toBeGreaterThan(10);
      for (let nth = 1; nth <= clean; nth++) await lifeWithFault(nth, fault);
    },
  );
});
