import { ConfigMap, kind, s, Secret } from "@levelset/core";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { operator } from "../manager/index.ts";
import { ok, reference, step } from "../engine/index.ts";
import type { Req } from "../engine/index.ts";

const Note = kind({ group: "test.levelset.dev", version: "v1", kind: "Note", spec: s.object({}) });
const key = { namespace: "default", name: "x" };

describe("a step that reads objects of a kind that no step declares", () => {
  test.for<readonly [string, (req: Req<typeof Note>) => unknown, string]>([
    ["req.get", (req) => req.get(Secret, key), "add reference(…, Secret, …) to reads, or Secret to owns"],
    ["req.owned", (req) => req.owned(Secret), "add Secret to owns"],
    ["req.select", (req) => req.select(Secret, {}), "add referenceByLabels(…, Secret, …) to reads"],
  ])("with %s reports what to declare", async ([name, read, fix]) => {
    await using cluster = await testCluster();
    const look = step(Note, "Look", {
      condition: "Found",
      do: (req) => {
        read(req);
        return ok();
      },
    });
    cluster.run(operator(Note, [look]));
    await cluster.apply(Note, { name: "a", spec: {} });
    const expected = {
      severity: "Error",
      reason: "NotDeclared",
      message: `${name}(Secret) reads objects that no step declares: ${fix}`,
    } as const;
    expect(await cluster.untilSettled(Note, "a")).toHaveCondition("Found", "False", expected);
    expect(await cluster.untilSettled(Note, "a")).toHaveCondition("Ready", "False", expected);
    const writes = cluster.writes(Note, "a");
    await cluster.clock.advance(60_000);
    expect(cluster.writes(Note, "a")).toBe(writes);
  });

  test("in that way, although another declaration covers other reads, reports that too", async () => {
    await using cluster = await testCluster();
    const look = step(Note, "Look", {
      reads: [reference(Note, ConfigMap, () => "x")],
      do: (req) => {
        req.get(ConfigMap, key);
        req.owned(ConfigMap);
        return ok();
      },
    });
    cluster.run(operator(Note, [look]));
    await cluster.apply(Note, { name: "a", spec: {} });
    expect(await cluster.untilSettled(Note, "a")).toHaveCondition("Look", "False", {
      message: "req.owned(ConfigMap) reads objects that no step declares: add ConfigMap to owns",
    });
  });
});
