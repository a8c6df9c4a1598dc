import { kind, s } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import type { TestCluster } from "@levelset/apiserver/testing";
import { ok, step } from "./index.ts";
import type { Req, OutputStep, Step } from "./index.ts";

/** A kind for tests of the engine. */
export const Thing = kind({
  group: "test.levelset.dev",
  version: "v1",
  kind: "Thing",
  spec: s.object({ mode: s.string().default("fine") }),
  status: s.object({ id: s.string().optional(), note: s.string().optional() }),
});
/** Its type. */
export type Thing = typeof Thing;

/** The finalizer of its operators. */
export const FINALIZER = "test.levelset.dev/thing";

/** Records calls in order. */
export function recorder(): {
  readonly calls: string[];
  readonly step: (name: string, phases?: Partial<Step<Thing>>) => Step<Thing>;
} {
  const calls: string[] = [];
  const traced =
    (name: string, phase: "do" | "cleanup" | "post", inner?: Step<Thing>["do"]) => async (req: Req<Thing>) => {
      calls.push(`${name}.${phase}`);
      return (await inner?.(req)) ?? ok();
    };
  return {
    calls,
    step: (name, phases = {}) =>
      step<Thing, unknown, readonly OutputStep<unknown>[]>(Thing, name, {
        condition: `${name}Ready`,
        ...phases,
        do: traced(name, "do", phases.do),
        ...(phases.cleanup === undefined ? {} : { cleanup: traced(name, "cleanup", phases.cleanup) }),
        ...(phases.post === undefined ? {} : { post: traced(name, "post", phases.post) }),
      }),
  };
}

/** Creates the test's object and waits until the cluster has settled. */
export async function create(cluster: TestCluster, mode = "fine"): Promise<ObjectOf<Thing>> {
  await cluster.apply(Thing, { name: "a", spec: { mode } });
  return cluster.untilSettled(Thing, "a");
}

/** A phase that does nothing. */
export const noop = (): ReturnType<typeof ok> => ok();
