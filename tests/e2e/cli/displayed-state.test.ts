import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { kind, s } from "@levelset/core";
import { stateOfConditions } from "@levelset/core/internal";
import type { ConditionUpdate, ObjectOf, ObjectState } from "@levelset/core";
import { Client, Discovery, ok, operator, refTo, step, why } from "@levelset/operator";
import { expect, test } from "vitest";
import { explainText } from "../../../packages/cli/src/explain/explain-text.ts";
import { describeObject } from "../../../packages/cli/src/program/print-status.ts";
import { objectRow } from "../../../packages/console/src/server/monitor/object-row.ts";

type Update = Pick<ConditionUpdate, "status" | "severity" | "reason">;

const UPDATES: readonly (readonly [ObjectState, Update])[] = [
  ["Ready", { status: "True", reason: "R" }],
  ["Progressing", { status: "Unknown", reason: "R" }],
  ["Progressing", { status: "False", severity: "Info", reason: "R" }],
  ["Degraded", { status: "False", severity: "Warning", reason: "R" }],
  ["Failed", { status: "False", severity: "Error", reason: "R" }],
  ["Failed", { status: "False", reason: "R" }],
  ["Paused", { status: "False", severity: "Info", reason: "Suspended" }],
];

const Thing = kind({
  group: "states.example.com",
  version: "v1",
  kind: "Thing",
  spec: s.object({ update: s.int32() }),
  status: s.object({ state: s.string().optional() }),
});
type Thing = typeof Thing;

/** Reports the condition that the spec selects, without further interpretation. */
const report = step(Thing, "Report", {
  conditions: ["Reported"],
  do: (req) => {
    const [, update] = UPDATES[req.spec.update] ?? [];
    if (update !== undefined) req.condition({ type: "Reported", message: "m", ...update });
    return ok();
  },
});

/** Returns the state of an object in every view: the `kubectl` column, `levelset dev`, `levelset why`, the console. */
async function shownStates(object: ObjectOf<Thing>, cluster: TestCluster): Promise<readonly (string | undefined)[]> {
  const client = new Client({ fetch: cluster.fetch, fieldManager: "test" });
  const node = await why(refTo(Thing, { namespace: "default", name: "a" }), {
    client,
    discovery: new Discovery(client),
  });
  const words = (text: string): string | undefined => /\b[A-Z][a-z]+(?= {3}|:|\n)/u.exec(text)?.[0];
  const inConsole = objectRow(object, Thing).state;
  return [
    object.status?.state,
    words(describeObject(object)),
    words(explainText(node, { now: 0, colors: false }).replace(/^Thing a +/u, "")),
    inConsole.charAt(0).toUpperCase() + inConsole.slice(1),
  ];
}

test.each(UPDATES.map(([state, update], index) => [state, update, index] as const))(
  "%s is the state of an object in every view after a step has reported %j",
  async (state, _update, update) => {
    await using cluster = await testCluster();
    cluster.run(
      operator(Thing, [report], { deriveStatus: (conditions) => ({ state: stateOfConditions(conditions) }) }),
    );
    await cluster.create(Thing, { name: "a", spec: { update } });
    const object = await cluster.untilSettled(Thing, "a");
    expect(await shownStates(object, cluster)).toEqual([state, state, state, state]);
  },
);
