import { describe, expect, test } from "vitest";
import type { Fetch } from "../world/index.ts";
import { faultyFetch, isWrite, memoryLogger, VirtualClock } from "./index.ts";

describe("the virtual clock", () => {
  test("fires timers in the order of their times, then of their making", async () => {
    const clock = new VirtualClock(0);
    const fired: string[] = [];
    clock.after(20, () => fired.push(`c@${clock.now()}`));
    clock.after(10, () => fired.push(`a@${clock.now()}`));
    clock.after(10, () => fired.push(`b@${clock.now()}`));
    await clock.advance(15);
    expect(fired).toEqual(["a@10", "b@10"]);
    expect(clock.now()).toBe(15);
    await clock.advance(5);
    expect(fired).toEqual(["a@10", "b@10", "c@20"]);
  });

  test("lets what a timer started come to rest before the next one", async () => {
    const clock = new VirtualClock(0);
    const seen: number[] = [];
    const loop = async (): Promise<void> => {
      for (let i = 0; i < 3; i++) {
        await clock.sleep(10);
        seen.push(clock.now());
      }
    };
    const running = loop();
    await clock.advance(30);
    await running;
    expect(seen).toEqual([10, 20, 30]);
  });
});

describe("the faulty fetch", () => {
  const echo =
    (done: string[]): Fetch =>
    (request) => {
      done.push(request.method);
      return Promise.resolve(new Response("ok"));
    };
  const request = (method: string): Request => new Request("http://cluster.invalid/x?y=1", { method });

  test("breaks exactly the n-th request that passes its filter", async () => {
    const done: string[] = [];
    const faulty = faultyFetch(echo(done));
    faulty.failNth(2, { kind: "refused" }, isWrite);
    await faulty.fetch(request("POST"));
    await faulty.fetch(request("GET"));
    await expect(faulty.fetch(request("PUT"))).rejects.toThrow("refused");
    await faulty.fetch(request("PUT"));
    expect(done).toEqual(["POST", "GET", "PUT"]);
    expect(faulty.count(isWrite)).toBe(3);
    expect(faulty.seen[0]).toEqual({ method: "POST", path: "/x", query: "?y=1" });
  });

  test("can lose the answer to a request that was done", async () => {
    const done: string[] = [];
    const faulty = faultyFetch(echo(done));
    faulty.failNth(1, { kind: "answer-lost" });
    await expect(faulty.fetch(request("DELETE"))).rejects.toThrow("reset");
    expect(done).toEqual(["DELETE"]);
  });

  test("can answer with any failure of the table", async () => {
    const faulty = faultyFetch(echo([]));
    faulty.failNth(1, { kind: "status", reason: "TooManyRequests", retryAfterSeconds: 3 });
    const response = await faulty.fetch(request("GET"));
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "3"]);
    expect(await response.json()).toMatchObject({ kind: "Status", reason: "TooManyRequests", code: 429 });
  });
});

test("a memory logger keeps lines with their bound fields", () => {
  const { logger, lines } = memoryLogger();
  logger.with({ kind: "Simple" }).with({ name: "a" }).warn("it broke", { step: "Divide" });
  expect(lines).toEqual([
    { level: "warn", message: "it broke", fields: { kind: "Simple", name: "a", step: "Divide" } },
  ]);
});
