import { silentLogger } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import { atRest, seededRandom, VirtualClock } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { MemoryBroker } from "../../broker/index.ts";
import { PhaseError } from "../run/index.ts";
import type { Transport } from "../transport/index.ts";
import { AdapterMetrics } from "./adapter-metrics.ts";
import { AdapterServer } from "./adapter-server.ts";
import type { Work } from "./adapter-server.ts";
import type { Pulse } from "./pulse.ts";

const DONE = { status: "success", errors: [], isRetryable: false, skipReason: undefined } as const;

/** A server, its broker, and what reached it. */
class Scene implements AsyncDisposable {
  readonly clock = new VirtualClock(0);
  readonly stop = new AbortController();
  readonly broker: MemoryBroker;
  readonly server: AdapterServer;
  readonly metrics = new AdapterMetrics({ name: "dns", version: "1" });
  change: (id: string) => void = () => {};
  #sent = 0;

  constructor(work: Work) {
    const { clock } = this;
    const world = { clock, random: seededRandom(1), logger: silentLogger, signal: this.stop.signal };
    this.broker = new MemoryBroker(world);
    const onChange: Transport["onChange"] = (changed) => {
      this.change = changed;
      return () => (this.change = () => {});
    };
    // Nothing else of a transport is asked for here.
    const transports = [{ onChange } as Transport];
    const options = { topic: "clusters", subscription: "dns", transports, metrics: this.metrics, deadlineMs: 60_000 };
    const subscribe = { attemptsMax: 3 };
    this.server = new AdapterServer({ broker: this.broker, work, clock, logger: silentLogger, subscribe, ...options });
  }

  async send(data: JsonValue): Promise<void> {
    this.#sent += 1;
    const event = { specversion: "1.0", id: String(this.#sent), source: "test", type: "pulse", data } as const;
    await this.broker.publish("clusters", event);
    await this.pass(0);
  }

  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await atRest();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    this.stop.abort();
    await this.broker.close();
  }
}

async function scene(work: Work): Promise<Scene> {
  const made = new Scene(work);
  await made.server.start();
  return made;
}

describe("a pulse", () => {
  test("is answered by a run, and an old one by the newest that is known", async () => {
    const seen: Pulse["data"][] = [];
    await using at = await scene(async ({ data }) => {
      seen.push(data);
      return DONE;
    });
    await at.send({ id: "c1", generation: 2 });
    await at.send({ id: "c1", generation: 1 });
    await at.send({ id: "c1", generation: 3 });
    expect(seen.map(({ generation }) => generation)).toEqual([2, 2, 3]);
  });

  test.each([[{ kind: "Cluster" }], [{ id: "" }], ["text"], [null]])("of %j is put aside at once", async (data) => {
    let runs = 0;
    await using at = await scene(async () => {
      runs += 1;
      return DONE;
    });
    await at.send(data);
    expect(runs).toBe(0);
    const letters = await at.broker.deadLetters("clusters", "dns").list();
    expect(letters).toHaveLength(1);
  });

  test("whose run only time can help is handed out again", async () => {
    let runs = 0;
    const error = new PhaseError("post_actions", "send", "the API is down", { isTransient: true });
    await using at = await scene(async () => {
      runs += 1;
      return runs < 3 ? { ...DONE, status: "failed", errors: [error], isRetryable: true } : DONE;
    });
    await at.send({ id: "c1" });
    await at.pass(60_000);
    expect(runs).toBe(3);
    expect((await at.metrics.render()).body).toContain('hyperfleet_adapter_errors_total{phase="post_actions"} 2');
  });

  test("whose run failed for good is acknowledged: the report says so", async () => {
    let runs = 0;
    const error = new PhaseError("resources", "job", "refused");
    await using at = await scene(async () => {
      runs += 1;
      return { ...DONE, status: "failed", errors: [error] };
    });
    await at.send({ id: "c1" });
    await at.pass(60_000);
    expect(runs).toBe(1);
  });

  test("whose run does not end is given up after the deadline, and handed out again", async () => {
    let runs = 0;
    await using at = await scene(async (_pulse, signal) => {
      runs += 1;
      if (runs === 1)
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
      return DONE;
    });
    await at.send({ id: "c1" });
    await at.pass(59_000);
    expect(runs).toBe(1);
    await at.pass(10_000);
    expect(runs).toBe(2);
  });
});

describe("a change of what was applied", () => {
  test("is answered by one run for all that come together, with the last pulse", async () => {
    const seen: unknown[] = [];
    await using at = await scene(async ({ data }) => {
      seen.push(data);
      return DONE;
    });
    at.change("c1");
    await at.pass(1_000);
    expect(seen).toEqual([]);
    await at.send({ id: "c1", generation: 4 });
    for (let n = 0; n < 5; n += 1) at.change("c1");
    await at.pass(1_000);
    expect(seen).toEqual([
      { id: "c1", generation: 4 },
      { id: "c1", generation: 4 },
    ]);
  });

  test("is known to the run as such, and a pulse after it is not", async () => {
    const triggers: unknown[] = [];
    await using at = await scene(async ({ trigger }) => {
      triggers.push(trigger);
      return DONE;
    });
    await at.send({ id: "c1" });
    at.change("c1");
    await at.pass(1_000);
    await at.send({ id: "c1" });
    expect(triggers).toEqual([undefined, "change", undefined]);
  });

  test("waits for the run of its resource that is under way, not for those of others", async () => {
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    await using at = await scene(async ({ id, generation }) => {
      order.push(`begin ${id}@${generation}`);
      if (id === "c1" && generation === 2) await gate.promise;
      order.push(`end ${id}@${generation}`);
      return DONE;
    });
    await at.send({ id: "c1", generation: 1 });
    await at.send({ id: "c2", generation: 1 });
    await at.send({ id: "c1", generation: 2 });
    at.change("c1");
    at.change("c2");
    await at.pass(1_000);
    expect(order.slice(4)).toEqual(["begin c1@2", "begin c2@1", "end c2@1"]);
    gate.resolve();
    await at.pass(0);
    expect(order.slice(7)).toEqual(["end c1@2", "begin c1@2", "end c1@2"]);
  });
});

test("what changes after it was closed is answered by nobody, nor what had just changed", async () => {
  let runs = 0;
  const at = await scene(async () => {
    runs += 1;
    return DONE;
  });
  await at.send({ id: "c1" });
  at.change("c1");
  await at.server.close();
  at.change("c1");
  await at.pass(1_000);
  expect(runs).toBe(1);
  await at[Symbol.asyncDispose]();
});

test("closing waits for the run under way", async () => {
  const gate = Promise.withResolvers<void>();
  let isDone = false;
  const at = await scene(async () => {
    await gate.promise;
    isDone = true;
    return DONE;
  });
  await at.send({ id: "c1" });
  const closed = at.server.close();
  await at.pass(0);
  expect(isDone).toBe(false);
  gate.resolve();
  await closed;
  expect(isDone).toBe(true);
  await at[Symbol.asyncDispose]();
});
