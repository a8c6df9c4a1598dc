import { silentLogger } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import { untilIdle, seededRandom, VirtualClock } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { MemoryBroker } from "../../broker/index.ts";
import { PhaseError } from "../run/index.ts";
import type { Transport } from "../transport/index.ts";
import { AdapterMetrics } from "./adapter-metrics.ts";
import { AdapterServer } from "./adapter-server.ts";
import type { PulseHandler } from "./adapter-server.ts";
import type { Pulse } from "./pulse.ts";

const DONE = { status: "success", errors: [], isRetryable: false, skipReason: undefined } as const;

/** An adapter server with its broker, and the pulses it handled. */
class Scenario implements AsyncDisposable {
  readonly clock = new VirtualClock(0);
  readonly stop = new AbortController();
  readonly broker: MemoryBroker;
  readonly server: AdapterServer;
  readonly metrics = new AdapterMetrics({ name: "dns", version: "1" });
  change: (id: string) => void = () => {};
  #sent = 0;

  constructor(work: PulseHandler) {
    const { clock } = this;
    const world = { clock, random: seededRandom(1), logger: silentLogger, signal: this.stop.signal };
    this.broker = new MemoryBroker(world);
    const onChange: Transport["onChange"] = (changed) => {
      this.change = changed;
      return () => (this.change = () => {});
    };
    // The server only uses `onChange` of a transport.
    const transports = [{ onChange } as Transport];
    const options = { topic: "clusters", subscription: "dns", transports, metrics: this.metrics, deadlineMs: 60_000 };
    const subscribe = { attemptsMax: 3 };
    this.server = new AdapterServer({
      broker: this.broker,
      handler: work,
      clock,
      logger: silentLogger,
      subscribe,
      ...options,
    });
  }

  async send(data: JsonValue): Promise<void> {
    this.#sent += 1;
    const event = { specversion: "1.0", id: String(this.#sent), source: "test", type: "pulse", data } as const;
    await this.broker.publish("clusters", event);
    await this.pass(0);
  }

  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await untilIdle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    this.stop.abort();
    await this.broker.close();
  }
}

async function scenario(work: PulseHandler): Promise<Scenario> {
  const scenario = new Scenario(work);
  await scenario.server.start();
  return scenario;
}

describe("a pulse", () => {
  test("is handled by a run, and an outdated pulse by one with the newest known generation", async () => {
    const received: Pulse["data"][] = [];
    await using at = await scenario(async ({ data }) => {
      received.push(data);
      return DONE;
    });
    await at.send({ id: "c1", generation: 2 });
    await at.send({ id: "c1", generation: 1 });
    await at.send({ id: "c1", generation: 3 });
    expect(received.map(({ generation }) => generation)).toEqual([2, 2, 3]);
  });

  test.each([[{ kind: "Cluster" }], [{ id: "" }], ["text"], [null]])("of %j is rejected at once", async (data) => {
    let runs = 0;
    await using at = await scenario(async () => {
      runs += 1;
      return DONE;
    });
    await at.send(data);
    expect(runs).toBe(0);
    const deadLetters = await at.broker.deadLetters("clusters", "dns").list();
    expect(deadLetters).toHaveLength(1);
  });

  test("whose run failed transiently is redelivered", async () => {
    let runs = 0;
    const error = new PhaseError("post_actions", "send", "the API is down", { isTransient: true });
    await using at = await scenario(async () => {
      runs += 1;
      return runs < 3 ? { ...DONE, status: "failed", errors: [error], isRetryable: true } : DONE;
    });
    await at.send({ id: "c1" });
    await at.pass(60_000);
    expect(runs).toBe(3);
    expect((await at.metrics.render()).body).toContain('hyperfleet_adapter_errors_total{phase="post_actions"} 2');
  });

  test("whose run failed permanently is acknowledged: the report carries the failure", async () => {
    let runs = 0;
    const error = new PhaseError("resources", "job", "refused");
    await using at = await scenario(async () => {
      runs += 1;
      return { ...DONE, status: "failed", errors: [error] };
    });
    await at.send({ id: "c1" });
    await at.pass(60_000);
    expect(runs).toBe(1);
  });

  test("whose run exceeds the deadline is aborted and redelivered", async () => {
    let runs = 0;
    await using at = await scenario(async (_pulse, signal) => {
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

describe("a change of an applied object", () => {
  test("triggers one run per burst, with the last pulse", async () => {
    const received: unknown[] = [];
    await using at = await scenario(async ({ data }) => {
      received.push(data);
      return DONE;
    });
    at.change("c1");
    await at.pass(1_000);
    expect(received).toEqual([]);
    await at.send({ id: "c1", generation: 4 });
    for (let n = 0; n < 5; n += 1) at.change("c1");
    await at.pass(1_000);
    expect(received).toEqual([
      { id: "c1", generation: 4 },
      { id: "c1", generation: 4 },
    ]);
  });

  test("is visible to the run as the trigger, and a later pulse is not", async () => {
    const triggers: unknown[] = [];
    await using at = await scenario(async ({ trigger }) => {
      triggers.push(trigger);
      return DONE;
    });
    await at.send({ id: "c1" });
    at.change("c1");
    await at.pass(1_000);
    await at.send({ id: "c1" });
    expect(triggers).toEqual([undefined, "change", undefined]);
  });

  test("waits for a running run of its resource, not for those of others", async () => {
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    await using at = await scenario(async ({ id, generation }) => {
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

test("changes after and shortly before closing trigger no run", async () => {
  let runs = 0;
  const at = await scenario(async () => {
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

test("closing waits for runs in progress", async () => {
  const gate = Promise.withResolvers<void>();
  let isDone = false;
  const at = await scenario(async () => {
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
