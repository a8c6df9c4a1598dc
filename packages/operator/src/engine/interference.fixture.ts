import { findCondition } from "@levelset/core";
import type { Fetch, Runnable } from "@levelset/core";
import type { TestCluster } from "@levelset/apiserver/testing";
import { operator } from "../manager/index.ts";
import type { Operator } from "../manager/index.ts";
import { ok, step } from "./index.ts";
import type { Req } from "./index.ts";
import { Thing } from "./thing.fixture.ts";

/** An operator whose runs take 30 seconds, and a record of its calls. */
export function slowOperator(note: (req: Req<Thing>) => string = ({ spec }) => spec.mode): {
  readonly operator: Operator<Thing>;
  readonly calls: string[];
} {
  const calls: string[] = [];
  const slow = step(Thing, "Slow", {
    condition: "SlowReady",
    do: async (req) => {
      calls.push("do");
      const text = note(req);
      await req.clock.sleep(30_000, req.signal);
      req.status.note = text;
      return ok();
    },
    cleanup: async ({ clock, signal }) => {
      calls.push("cleanup");
      await clock.sleep(30_000, signal);
      return ok();
    },
  });
  return { operator: operator(Thing, [slow]), calls };
}

/** Returns whether Ready is True for this generation. */
export const isReadyFor = (object: Thing["Object"] | undefined, generation: number): boolean =>
  object?.status?.observedGeneration === generation &&
  findCondition(object.status.conditions, "Ready")?.status === "True";

/** A request to the server, before it is sent. */
export interface Outgoing {
  /** Sequence number of the request among those for Things, from 1, without watches and lists. */
  readonly nth: number;
  readonly method: string;
  readonly path: string;
}

/**
 * Wraps an operator so that `before` is called before each request for the test's object; a test can write in between.
 */
export function announced(operator: Runnable, before: (request: Outgoing) => Promise<void>): Runnable {
  let nth = 0;
  const hooked =
    (fetch: Fetch): Fetch =>
    async (request) => {
      const path = new URL(request.url).pathname;
      if (/\/things\/a(?:\/status)?$/u.test(path)) await before({ nth: ++nth, method: request.method, path });
      return fetch(request);
    };
  return { ...operator, start: (world) => operator.start({ ...world, fetch: hooked(world.fetch) }) };
}

/** Advances the clock, with a write of another client every 20 seconds. */
export async function passWith(
  cluster: TestCluster,
  ms: number,
  write: (nth: number) => Promise<unknown>,
): Promise<void> {
  for (let at = 20_000; at <= ms; at += 20_000) {
    await cluster.clock.advance(20_000);
    await cluster.untilIdle();
    await write(at / 20_000);
    await cluster.untilIdle();
  }
}

/** Sets an annotation on the test's object as another client; does nothing if the object is gone. */
export async function annotate(cluster: TestCluster, key: string, value: string): Promise<void> {
  if ((await cluster.get(Thing, "a")) === undefined) return;
  await cluster.patch(Thing, "a", { metadata: { annotations: { [key]: value } } });
}
