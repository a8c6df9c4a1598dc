import { ConfigMap, controllerReference, isReady, kind, s } from "@levelset/core";
import { ok, operator, step, wait } from "@levelset/operator";
import { expect, test } from "vitest";
import type { Case, ObservedWrite, PropertyWorld } from "../run/index.ts";
import { Campaign } from "./campaign.ts";
import type { CampaignOptions } from "./campaign.ts";
import { replay } from "./replay.ts";

const Gate = kind({
  group: "why.levelset.dev",
  version: "v1",
  kind: "Gate",
  spec: s.object({ isOpen: s.boolean() }),
});
const gate = {
  apiVersion: "why.levelset.dev/v1",
  kind: "Gate",
  metadata: { name: "a", namespace: "default" },
  spec: { isOpen: true },
};
const recorded: Case = {
  seed: 1,
  faults: [],
  history: {
    operations: [
      { do: "create", object: gate, afterMs: 60_000 },
      { do: "change", object: { ...gate, spec: { isOpen: false } }, how: "changed", afterMs: 60_000 },
      { do: "change", object: gate, how: "changed", afterMs: 60_000 },
    ],
  },
};

const opened = step(Gate, "Opened", {
  do: ({ spec }) => (spec.isOpen ? ok() : wait("a user opens the gate", { reason: "Closed" })),
});
const gates = () => operator(Gate, [opened]);

async function storyOf(program: typeof gates, options: CampaignOptions, performed: Case = recorded): Promise<string> {
  const rejected: unknown = await replay(program, performed, { samples: [gate], ...options }).catch(
    (error: unknown) => error,
  );
  if (!(rejected instanceof Error)) throw new Error("the case violates no rule");
  return rejected.message;
}

test("the story of a property of all times has the state of the first violation, and ends there", async () => {
  const always = { "gates are Ready": (world: PropertyWorld) => world.list(Gate).every((each) => isReady(each)) };
  const story = await storyOf(gates, { always });
  expect(story).toContain(
    [
      "What happened (without injected faults):",
      '        0 ms  a user creates Gate default/a {"isOpen":true}',
      "        0 ms  · Gate default/a is Ready",
      '          1m  a user changes Gate default/a to {"isOpen":false}',
      "          1m  · Gate default/a is not Ready",
      "          1m  ✗ property-violated is violated",
      "",
      "What levelset why says at 1m:",
      "  Gate default/a                Progressing   generation 2, observed 2",
      "  └─ Opened ✗ Progressing 0 s   a user opens the gate",
      "     last change: kubectl-edit set .spec.isOpen 0 s ago",
    ].join("\n"),
  );
});

test("the story of a monitor has the state after the write that it refuses", async () => {
  const monitors = {
    "gates stay open": () => (write: ObservedWrite) =>
      write.object.kind === "Gate" && "spec" in write.object && JSON.stringify(write.object.spec).includes("false")
        ? "it is closed"
        : undefined,
  };
  const story = await storyOf(gates, { monitors });
  // The operator has not seen the change yet.
  expect(story).toMatch(/What levelset why says at 1m:\n {2}Gate default\/a +Progressing: observed generation 1 of 2/u);
});

test("the story of a deletion that does not end shows the finalizer, and not the state at rest", async () => {
  const stuck = () =>
    operator(Gate, [
      step(Gate, "Stuck", { do: () => ok(), cleanup: () => wait("the lock is gone", { reason: "Locked" }) }),
    ]);
  const story = await storyOf(
    stuck,
    {},
    { ...recorded, history: { operations: recorded.history.operations.slice(0, 1) } },
  );
  expect(story).toMatch(/^stuck-finalizer/u);
  expect(story).toMatch(
    /What levelset why says at [^\n]*:\n {2}Gate default\/a +Deleting for 41 min .*\n {2}└─ Stuck ✗ Progressing 41 min +the lock is gone\n/u,
  );
});

test("the story of a missing child explains its owner, and not other custom resources", async () => {
  const remembered = () =>
    operator(Gate, [
      step(Gate, "Content", {
        owns: [ConfigMap],
        do: async ({ object, name, client }) => {
          if (isReady(object)) return ok();
          const metadata = { namespace: "default", name, ownerReferences: [controllerReference(object)] };
          await client.apply(ConfigMap, { metadata, data: {} }, { force: true });
          return ok();
        },
      }),
    ]);
  const other = { ...gate, metadata: { ...gate.metadata, name: "b" } };
  const target = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "b" };
  const operations = [
    { do: "create", object: gate, afterMs: 60_000 },
    { do: "create", object: other, afterMs: 60_000 },
    { do: "delete-child", pick: 0, target, afterMs: 60_000 },
  ] as const;
  const story = await storyOf(remembered, {}, { ...recorded, history: { operations } });
  expect(story).toMatch(/^path-changes-the-end \(converges\), seed 1\n {2}found {5}ConfigMap default\/b is missing/u);
  expect(story).toContain(
    [
      "What levelset why says at 43m:",
      "  Gate default/b   Ready   generation 1, observed 1",
      "     last change: kubectl-create created it 42 min ago",
      "",
      "Difference (- expected, + found):",
      "  ConfigMap default/b (missing)",
      '    - controller: "Gate b"',
      "    - ready: true",
    ].join("\n"),
  );
});

test("the story of an error has the state after it, although it is found at the end of the run", async () => {
  const throwing = () =>
    operator(Gate, [
      step(Gate, "Lift", {
        do: ({ spec }) => {
          if (!spec.isOpen) throw new TypeError("the bar is heavy");
          return ok();
        },
      }),
    ]);
  const story = await storyOf(throwing, {});
  expect(story).toMatch(/^programming-error/u);
  expect(story).toMatch(/ 1m {2}✗ programming-error is violated\n\nWhat levelset why says at 1m:\n/u);
  expect(story).toMatch(/└─ Lift ✗ [^\n]* 0 s +[^\n]*the bar is heavy/u);
});

test("the shrunk case of a seed is explained as its replay is", async () => {
  const eventually = { "gates are Ready": (world: PropertyWorld) => world.list(Gate).every((each) => isReady(each)) };
  const samples = [{ ...gate, spec: { isOpen: false } }];
  const campaign = await Campaign.prepare(gates, { samples, eventually });
  const { failure } = await campaign.runSeed(1);
  if (failure === undefined) throw new Error("the seed found nothing");
  expect(failure.why?.objects).toMatchObject([{ kind: "Gate", objectState: "Progressing" }]);
  expect((await campaign.replay(failure.case)).why).toEqual(failure.why);
});
