import { describe, expect, test } from "vitest";
import type { Fetch } from "../world/index.ts";
import { FaultPlans, untilIdle, faultyFetch, isWrite, memoryLogger, VirtualClock } from "./index.ts";

describe("the virtual clock", () => {
  test("fires timers in order of time, then of creation", async () => {
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

  test("waits for the work started by a timer before it fires the next one", async () => {
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

  test("injects the fault into exactly the n-th matching request", async () => {
    const done: string[] = [];
    const faulty = faultyFetch(echo(done));
    faulty.failNth(2, { kind: "refused" }, isWrite);
    await faulty.fetch(request("POST"));
    await faulty.fetch(request("GET"));
    await expect(faulty.fetch(request("PUT"))).rejects.toThrow("refused");
    await faulty.fetch(request("PUT"));
    expect(done).toEqual(["POST", "GET", "PUT"]);
    expect(faulty.count(isWrite)).toBe(3);
    expect(faulty.requests[0]).toEqual({ method: "POST", path: "/x", query: "?y=1" });
  });

  test("treats a dry run as a read", async () => {
    const faulty = faultyFetch(echo([]));
    await faulty.fetch(new Request("http://cluster.invalid/x?dryRun=All&force=true", { method: "PATCH" }));
    await faulty.fetch(request("PATCH"));
    expect(faulty.count(isWrite)).toBe(1);
  });

  test("can lose the response of a handled request", async () => {
    const done: string[] = [];
    const faulty = faultyFetch(echo(done));
    faulty.failNth(1, { kind: "response-lost" });
    await expect(faulty.fetch(request("DELETE"))).rejects.toThrow("reset");
    expect(done).toEqual(["DELETE"]);
  });

  test("can duplicate, delay or drop a request", async () => {
    const done: string[] = [];
    const clock = new VirtualClock(0);
    const faulty = faultyFetch(echo(done), { clock });
    faulty.failNth(1, { kind: "duplicate" });
    expect(await (await faulty.fetch(request("POST"))).text()).toBe("ok");
    expect(done).toEqual(["POST", "POST"]);
    faulty.failNth(1, { kind: "delay", ms: 100 });
    const late = faulty.fetch(request("PUT"));
    await clock.advance(99);
    expect(done).toHaveLength(2);
    await clock.advance(1);
    await late;
    faulty.failNth(1, { kind: "hang" });
    const stop = new AbortController();
    const lost = faulty.fetch(new Request("http://cluster.invalid/", { signal: stop.signal }));
    stop.abort();
    await expect(lost).rejects.toHaveProperty("name", "AbortError");
    expect(done).toHaveLength(3);
  });

  test("can share its faults with others: a request counts whichever of them sends it, and fires once", async () => {
    const plans = new FaultPlans();
    const [one, other] = [faultyFetch(echo([]), { plans }), faultyFetch(echo([]), { plans })];
    let fired = 0;
    plans.requests.add(2, { kind: "refused" }, isWrite, () => (fired += 1));
    await one.fetch(request("POST"));
    await other.fetch(request("GET"));
    expect(fired).toBe(0);
    await expect(other.fetch(request("PUT"))).rejects.toThrow("refused");
    await one.fetch(request("PUT"));
    await other.fetch(request("PUT"));
    expect(fired).toBe(1);
  });

  test("can let a request hang until its transport gives up", async () => {
    const clock = new VirtualClock(0);
    const faulty = faultyFetch(echo([]), { clock });
    faulty.failNth(1, { kind: "hang", timeoutMs: 60_000 });
    const lost = faulty.fetch(request("GET")).catch((error: unknown) => String(error));
    await clock.advance(60_000);
    expect(await lost).toContain("no response within 60 s");
  });

  test("can crash the client at a request: the request is handled, later ones fail until the restart", async () => {
    const done: string[] = [];
    const faulty = faultyFetch(echo(done));
    faulty.failNth(2, { kind: "crash" }, isWrite);
    await faulty.fetch(request("POST"));
    await expect(faulty.fetch(request("PUT"))).rejects.toThrow("the process crashed");
    await expect(faulty.fetch(request("GET"))).rejects.toThrow("the process crashed");
    expect([done, faulty.isCrashed]).toEqual([["POST", "PUT"], true]);
    faulty.restart();
    await faulty.fetch(request("GET"));
    expect(done).toEqual(["POST", "PUT", "GET"]);
  });

  test("can respond with any status reason", async () => {
    const faulty = faultyFetch(echo([]));
    faulty.failNth(1, { kind: "status", reason: "TooManyRequests", retryAfterSeconds: 3 });
    const response = await faulty.fetch(request("GET"));
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "3"]);
    expect(await response.json()).toMatchObject({ kind: "Status", reason: "TooManyRequests", code: 429 });
  });
});

describe("the stream of a watch", () => {
  const line = (name: string): string => `${JSON.stringify({ type: "ADDED", object: { metadata: { name } } })}\n`;
  const watch = new Request("http://cluster.invalid/x?watch=true");

  /** A server whose watch sends a, b and c and then stays open. */
  const server: Fetch = () => {
    const bytes = new TextEncoder().encode(line("a") + line("b") + line("c"));
    return Promise.resolve(new Response(new ReadableStream({ start: (controller) => controller.enqueue(bytes) })));
  };

  /** Returns the data received until the stream ends or stalls. */
  async function arrived(response: Response): Promise<string> {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const next = await Promise.race([reader?.read().catch(() => ({ done: true, value: "!" })), untilIdle()]);
      text += next?.value ?? "";
      if (next === undefined) return names(text);
      if (next.done) return `${names(text)}|`;
    }
  }

  const names = (text: string): string =>
    text.replaceAll(/\{"type":"ADDED","object":\{"metadata":\{"name":"(\w)"\}\}\}\n/gu, "$1");

  test.each([
    [{ kind: "drop" }, "ac"],
    [{ kind: "duplicate" }, "abbc"],
    [{ kind: "delay", ms: 50 }, "a"],
  ] as const)("can inject a fault at any event: %j", async (fault, expected) => {
    const faulty = faultyFetch(server, { clock: new VirtualClock() });
    faulty.failNthEvent(1, fault, (_, { name }) => name === "b");
    expect(await arrived(await faulty.fetch(watch))).toBe(expected);
  });

  test("can break inside an event, or end with an error", async () => {
    const faulty = faultyFetch(server);
    faulty.failNthEvent(2, { kind: "cut" });
    expect(await arrived(await faulty.fetch(watch))).toMatch(/^a\{"type":"ADDED"[^}]*\|$/u);
    faulty.failNthEvent(2, { kind: "status", reason: "Expired" });
    expect(await arrived(await faulty.fetch(watch))).toMatch(/^a\{"type":"ERROR",.*"code":410.*\n\|$/su);
  });

  test("can be cut, frozen and delayed", async () => {
    const clock = new VirtualClock();
    const faulty = faultyFetch(server, { clock });
    const cut = await faulty.fetch(watch);
    faulty.cutWatches();
    expect(await arrived(cut)).toBe("!|");
    const frozen = await faulty.fetch(watch);
    faulty.freezeWatches();
    expect(await arrived(frozen)).toBe("");
    faulty.delayResponses(1_000);
    const late = await faulty.fetch(watch);
    clock.stepWall(-3_600_000); // does not make it later
    await clock.advance(999);
    const reader = late.body?.getReader();
    const first = reader?.read();
    expect(await Promise.race([first, untilIdle()])).toBeUndefined();
    await clock.advance(1);
    expect(names(new TextDecoder().decode((await first)?.value))).toBe("a");
  });
});

test("a memory logger records lines with their bound fields", () => {
  const { logger, lines } = memoryLogger();
  logger.with({ kind: "Simple" }).with({ name: "a" }).warn("it broke", { step: "Divide" });
  expect(lines).toEqual([
    { level: "warn", message: "it broke", fields: { kind: "Simple", name: "a", step: "Divide" } },
  ]);
});
