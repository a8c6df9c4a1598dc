import { ConfigMap, kind, s } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import { expect, test } from "vitest";
import { Campaign } from "./campaign.ts";

const Job = kind({
  group: "rejections.levelset.dev",
  version: "v1",
  kind: "Task",
  spec: s.object({ text: s.string() }),
});
const task = {
  apiVersion: "rejections.levelset.dev/v1",
  kind: "Task",
  metadata: { name: "a", namespace: "default" },
  spec: { text: "one" },
};
const created = { do: "create", object: task, afterMs: 60_000 } as const;

async function violationOf(step_: ReturnType<typeof step<typeof Job>>, faults: readonly object[] = []) {
  const campaign = await Campaign.prepare(() => operator(Job, [step_]), { samples: [task] });
  const recorded = { seed: 1, history: { operations: [created] }, faults: faults as never };
  return (await campaign.replay(recorded)).violation;
}

test("a promise of a step that rejects and is not awaited is a violation, with its step", async () => {
  const forgotten = step(Job, "Forgotten", {
    do: () => {
      void Promise.resolve().then(() => Promise.reject(new Error("it was lost")));
      return ok();
    },
  });
  expect(await violationOf(forgotten)).toMatchObject({
    rule: "programming-error",
    object: "Task default/a",
    message: expect.stringMatching(/^unhandled rejection in a step: .* in step Forgotten: it was lost$/u),
  });
});

test("a write that is not awaited is a violation when it fails", async () => {
  const forgotten = step(Job, "Forgotten", {
    owns: [ConfigMap],
    do: ({ name, object, client }) => {
      const { namespace = "default" } = object.metadata;
      void client.apply(ConfigMap, { metadata: { namespace, name: `${name}-a` } }, { force: true });
      return ok();
    },
  });
  const faults = [1, 2].map((nth) => ({ kind: "request", at: 0, nth, fault: { kind: "status", reason: "Forbidden" } }));
  expect(await violationOf(forgotten, faults)).toMatchObject({
    rule: "programming-error",
    message: expect.stringContaining(" in step Forgotten: "),
  });
});

test("rejections of other code reach the listeners of the process as before", async () => {
  const received: unknown[] = [];
  const listeners = process.listeners("unhandledRejection");
  const listen = (reason: unknown): void => void received.push(reason);
  process.removeAllListeners("unhandledRejection").on("unhandledRejection", listen);
  try {
    const fine = step(Job, "Fine", { do: () => ok() });
    const violation = violationOf(fine);
    void Promise.reject(new Error("of the test"));
    expect(await violation).toBeUndefined();
    expect(received).toEqual([new Error("of the test")]);
    expect(process.listeners("unhandledRejection")).toEqual([listen]);
  } finally {
    process.removeAllListeners("unhandledRejection");
    for (const each of listeners) process.on("unhandledRejection", each);
  }
});
