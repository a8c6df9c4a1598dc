import { kind, s } from "@levelset/core";
import { ok, step } from "@levelset/operator";
import type { Req, OutputStep, Step } from "@levelset/operator";

/** A kind without a purpose, for scenarios about the engine itself. */
export const Thing = kind({
  group: "scenarios.levelset.dev",
  version: "v1",
  kind: "Thing",
  spec: s.object({ mode: s.string().default("fine") }),
  status: s.object({ note: s.string().optional() }),
});
/** Type of {@link Thing}. */
export type Thing = typeof Thing;

/** Finalizer of its operators. */
export const FINALIZER = "scenarios.levelset.dev/thing";

/** Creates steps that record their calls in order. */
export function recorder(): {
  readonly calls: string[];
  readonly step: (name: string, phases?: Partial<Step<Thing>>) => Step<Thing>;
} {
  const calls: string[] = [];
  const recorded = (call: string, inner: Step<Thing>["do"]) => async (req: Req<Thing>) => {
    calls.push(call);
    return (await inner?.(req)) ?? ok();
  };
  return {
    calls,
    step: (name, { cleanup, post, do: main, ...declared } = {}) =>
      step<Thing, unknown, readonly OutputStep<unknown>[]>(Thing, name, {
        condition: `${name}Ready`,
        ...declared,
        do: recorded(`${name}.do`, main),
        ...(cleanup === undefined ? {} : { cleanup: recorded(`${name}.cleanup`, cleanup) }),
        ...(post === undefined ? {} : { post: recorded(`${name}.post`, post) }),
      }),
  };
}
