import { ConfigMap, controllerReference, kind, s, Secret } from "@levelset/core";
import { whenAborted } from "@levelset/core/internal";
import { ok, operator, reference, requeueAfter, step, wait } from "@levelset/operator";
import type { ManagedOperator, Req } from "@levelset/operator";
import { expect, test } from "vitest";
import type { Case } from "../run/index.ts";
import type { Violation } from "../violation/index.ts";
import { Campaign } from "./campaign.ts";

const Thing = kind({
  group: "example.com",
  version: "v1",
  kind: "Thing",
  spec: s.object({ size: s.int32().min(0).max(5) }),
  status: s.object({ checkedAt: s.int64().optional() }),
});

const thing = (size: number) => ({
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: { name: "a", namespace: "default" },
  spec: { size },
});
const CREATE = { do: "create", object: thing(1), afterMs: 60_000 } as const;
const change = (size: number) => ({ do: "change", object: thing(size), how: "valid", afterMs: 60_000 }) as const;
const CREATED: Case = { history: { operations: [CREATE] }, faults: [], seed: 1 };

async function violationOf(program: () => ManagedOperator, replayed: Case = CREATED): Promise<Violation | undefined> {
  const campaign = await Campaign.prepare(program, { samples: [thing(1)], ignore: ["long-name-unhealthy"] });
  return (await campaign.replay(replayed)).violation;
}

test("a child with a generated name is found twice after its create was delivered twice", async () => {
  const run = step(Thing, "Run", {
    owns: [ConfigMap],
    do: async (req) => {
      const metadata = { namespace: "default", generateName: "a-", ownerReferences: [controllerReference(req.object)] };
      if (req.owned(ConfigMap).length === 0) await req.client.create(ConfigMap, { metadata, data: {} });
      return ok();
    },
  });
  const faults = [{ at: 0, kind: "request", nth: 1, fault: { kind: "duplicate" } }] as const;
  expect(await violationOf(() => operator(Thing, [run]), { ...CREATED, faults })).toMatchObject({
    rule: "child-duplicated",
    message: "Thing default/a has 2 children ConfigMap default/a-* after faults, not 1.",
  });
});

test("an object that is requeued every 500 ms without a request is found", async () => {
  const polled = (everyMs: number) => {
    const poll = step(Thing, "Poll", { do: ({ spec }) => (spec.size === 2 ? requeueAfter("not yet", everyMs) : ok()) });
    return () => operator(Thing, [poll]);
  };
  const changed: Case = { ...CREATED, history: { operations: [{ ...CREATE, object: thing(2) }] } };
  expect(await violationOf(polled(500), changed)).toMatchObject({
    rule: "hot-loop",
    object: "Thing default/a",
    message: "Thing default/a is reconciled 2400 times in 20 minutes at rest.",
  });
  expect(await violationOf(polled(30_000), changed)).toBeUndefined();
});

test("a change that leads to a hundred writes of one object is found", async () => {
  const config = step(Thing, "Config", {
    owns: [ConfigMap],
    do: async (req) => {
      const metadata = ownedBy(req, "config");
      for (let write = req.spec.size === 2 ? 0 : 99; write < 100; write++) {
        await req.client.apply(ConfigMap, { metadata, data: { write: String(write) } }, { force: true });
      }
      return ok();
    },
  });
  const changed = { ...CREATED, history: { operations: [CREATE, change(2), change(1)] } };
  expect(await violationOf(() => operator(Thing, [config]), changed)).toMatchObject({
    rule: "hot-loop",
    message: expect.stringContaining('when a user changes Thing default/a to {"size":2}'),
  });
});

/** Calls a function once in a period of virtual time, and is Ready. */
function periodic(everyMs: number, act: (req: Req<typeof Thing>, period: number) => void | Promise<void>) {
  const work = step(Thing, "Work", {
    owns: [ConfigMap, Secret],
    do: async (req) => {
      await act(req, Math.floor(req.clock.now() / everyMs));
      req.requeueAfter(everyMs);
      return ok();
    },
  });
  return () => operator(Thing, [work]);
}

const ownedBy = ({ object, name }: Req<typeof Thing>, suffix: string | number) => ({
  namespace: "default",
  name: `${name}-${suffix}`,
  ownerReferences: [controllerReference(object)],
});

test("a child that a new process deletes and creates again is found, if it exists at the end", async () => {
  const program = () => {
    let isFirst = true;
    const config = step(Thing, "Config", {
      owns: [ConfigMap],
      do: async (req) => {
        const { namespace, name } = ownedBy(req, "config");
        if (isFirst && req.owned(ConfigMap).length > 0) await req.client.delete(ConfigMap, { namespace, name });
        isFirst = false;
        await req.client.apply(ConfigMap, { metadata: ownedBy(req, "config"), data: {} }, { force: true });
        return ok();
      },
    });
    return operator(Thing, [config]);
  };
  const history = { operations: [CREATE, change(2)] };
  const faults = [{ at: 1, kind: "crash", nth: 1, downMs: 0 }] as const;
  expect(await violationOf(program, { ...CREATED, history, faults })).toMatchObject({
    rule: "child-replaced",
    message: "ConfigMap default/a-config was deleted and created again under faults: 2 objects had this name, not 1.",
  });
  expect(await violationOf(program, { ...CREATED, history })).toBeUndefined();
});

test("a number in the status that is written every minute is found, although it is noise", async () => {
  const beating = periodic(60_000, (req) => {
    req.status.checkedAt = req.clock.now();
  });
  expect(await violationOf(beating)).toMatchObject({
    rule: "writes-at-rest",
    message: expect.stringContaining("although only times, random values or counters change"),
  });
});

test("a schedule that creates an object in each period is no unrest", async () => {
  const schedule = periodic(120_000, async (req, period) => {
    const latest = req.owned(ConfigMap).find(({ metadata }) => metadata.name === `a-${period}`);
    if (latest === undefined) await req.client.create(ConfigMap, { metadata: ownedBy(req, period), data: {} });
    for (const { metadata } of req.owned(ConfigMap))
      if (metadata.name !== `a-${period}`)
        await req.client.delete(ConfigMap, { namespace: "default", name: metadata.name });
    req.status.checkedAt = period;
  });
  expect((await violationOf(schedule))?.rule).not.toBe("writes-at-rest");
});

test("a certificate that is renewed every four minutes is no unrest", async () => {
  const renewal = periodic(240_000, async (req, period) => {
    const stringData = { certificate: String(period) };
    await req.client.apply(Secret, { metadata: ownedBy(req, "certificate"), stringData }, { force: true });
    req.status.checkedAt = period;
  });
  expect((await violationOf(renewal))?.rule).not.toBe("writes-at-rest");
});

/** An operator whose workers end after a time, while its process goes on. */
function dyingAfter(ms: number): ManagedOperator {
  const things = operator(Thing, [step(Thing, "Nothing", { do: () => ok() })]);
  return {
    name: things.name,
    kinds: things.kinds,
    rbac: things.rbac,
    createController: (runtime) => {
      const controller = things.createController(runtime);
      const run = async (signal: AbortSignal): Promise<void> => {
        const workers = new AbortController();
        const death = runtime.clock.sleep(ms, signal).then(() => workers.abort());
        await controller.run(AbortSignal.any([signal, workers.signal]));
        await death;
        await whenAborted(signal);
      };
      const { health, runs, synced } = controller;
      return { health, runs, synced, run, close: () => controller.close() };
    },
  };
}

test("an object that stays Ready for an older generation is found", async () => {
  const changed = { ...CREATED, history: { operations: [CREATE, change(2)] } };
  expect(await violationOf(() => dyingAfter(30_000), changed)).toMatchObject({
    rule: "ready-beside-other-world",
    message: "Thing default/a is Ready at rest with observed generation 1 of 2.",
  });
});

test("an operator that changes the spec of its own object is found", async () => {
  const grow = step(Thing, "Grow", {
    do: async ({ spec, client }) => {
      if (spec.size < 3) await client.mergePatch(Thing, { namespace: "default", name: "a" }, { spec: { size: 3 } });
      return ok();
    },
  });
  expect(await violationOf(() => operator(Thing, [grow]))).toMatchObject({
    rule: "foreign-touched",
    message: "Thing default/a was changed at spec.size by an operator.",
  });
});

test("a finalizer that stays on a Secret of the user after the deletion of the object is found", async () => {
  const hold = step(Thing, "Hold", {
    reads: [reference(Thing, Secret, () => "input")],
    rbac: [{ apiGroups: [""], resources: ["secrets"], verbs: ["patch"] }],
    do: async ({ client, get }) => {
      const key = { namespace: "default", name: "input" };
      if (get(Secret, key) === undefined) return wait("no secret");
      await client.mergePatch(Secret, key, { metadata: { finalizers: ["example.com/in-use"] } });
      return ok();
    },
  });
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "input", namespace: "default" } };
  const operations = [{ do: "create", object: secret, afterMs: 0 } as const, CREATE];
  expect(await violationOf(() => operator(Thing, [hold]), { ...CREATED, history: { operations } })).toMatchObject({
    rule: "foreign-touched",
    message: "Secret default/input, which the operator has not created, still has the finalizer example.com/in-use.",
  });
});
