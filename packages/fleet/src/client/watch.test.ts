import { realClock } from "@levelset/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EventStreamParser } from "./event-stream.ts";
import type { StreamEvent } from "./event-stream.ts";
import type { FleetWatchEvent, FleetWatchOptions } from "./index.ts";
import { json, problem, scriptedClient, awaitInVirtualTime, stream } from "./scripted.fixture.ts";
import type { ScriptedResponse } from "./scripted.fixture.ts";

const CLUSTER = { kind: "Cluster", plural: "clusters" };

function parse(chunks: readonly string[]): readonly StreamEvent[] {
  const parser = new EventStreamParser();
  return chunks.flatMap((chunk) => parser.push(chunk));
}

describe("a stream of events", () => {
  test("is parsed line by line", () => {
    const text = ": beat\n\nevent: present\nid: 7\ndata: a\ndata:b\n\ndata\n\nid: 8\n\nevent: synced\n\ndata: cut";
    expect(parse([text])).toEqual([
      { event: "present", data: "a\nb", id: "7" },
      { event: "message", data: "", id: "7" },
      { event: "synced", data: "", id: "8" },
    ]);
  });

  test("parses the same for any chunk boundaries and line endings", () => {
    const line = fc.constantFrom("event: gone", "data: {}", "data: é", "id: 4", ": beat", "", "");
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom("\n", "\r\n", "\r"), fc.array(fc.nat(60)), (lines, end, cuts) => {
        const text = lines.map((each) => each + end).join("");
        const offsets = [0, ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b), text.length];
        const chunks = offsets.slice(1).map((offset, index) => text.slice(offsets[index], offset));
        // A trailing carriage return may be the first half of a line ending, so the parser waits for the next
        // character.
        expect(parse([...chunks, ": end"])).toEqual(parse([text, ": end"]));
      }),
    );
  });
});

function present(id: number, name: string): string {
  return `event: present\nid: ${id}\ndata: ${JSON.stringify({ id: name, name })}\n\n`;
}

/** Returns descriptions of the first events of a watch, in virtual time. */
async function eventsOf(
  script: readonly ScriptedResponse[],
  count: number,
  options: FleetWatchOptions = {},
): Promise<readonly [readonly string[], readonly string[]]> {
  const { client, requests, clock } = scriptedClient(script);
  const events: string[] = [];
  const format = (event: FleetWatchEvent): string =>
    "resource" in event ? `${event.kind} ${event.resource.name}` : event.kind;
  const watch = async (): Promise<void> => {
    for await (const event of client.collection(CLUSTER).watch({ idleMs: 5_000, ...options })) {
      events.push(format(event));
      if (events.length === count) return;
    }
  };
  await awaitInVirtualTime(clock, watch());
  return [events, requests.map(({ headers }) => headers.get("last-event-id") ?? "")];
}

describe("a watch", () => {
  test("resumes at its position when a connection ends or breaks", async () => {
    const script = [
      stream(present(1, "a") + "event: synced\nid: 2\n\n"),
      new TypeError("fetch failed"),
      stream(present(3, "b") + ": beat\n\nevent: present\nid: 9\ndata: {cut", "break"),
      stream(`event: gone\nid: 4\ndata: {"name":"a"}\n\n`),
    ];
    expect(await eventsOf(script, 4)).toEqual([
      ["present a", "synced", "present b", "gone a"],
      ["", "2", "2", "3"],
    ]);
  });

  test("restarts, and reports it, when its position has expired", async () => {
    const script = [
      stream(present(1, "a")),
      problem(410, "NTF-004", "too old"),
      stream(`${present(5, "b")}event: expired\ndata: {}\n\n`),
      stream(present(6, "c")),
    ];
    expect(await eventsOf(script, 5)).toEqual([
      ["present a", "restarted", "present b", "restarted", "present c"],
      ["", "1", "", ""],
    ]);
  });

  test("with a search ignores the deletion of resources that it has never shown", async () => {
    const gone = (id: number, name: string): string =>
      `event: gone\nid: ${id}\ndata: ${JSON.stringify({ id: name, name })}\n\n`;
    const script = [
      stream(`${present(1, "a")}event: synced\nid: 2\n\n`),
      // A server that resumes does not know what this client has, so it reports every resource that does not match.
      stream(gone(3, "b") + gone(4, "a") + gone(5, "a") + present(6, "a") + gone(7, "a")),
    ];
    const [events] = await eventsOf(script, 5, { search: "id = 'a'" });
    expect(events).toEqual(["present a", "synced", "gone a", "present a", "gone a"]);
  });

  test("fails if the server responds with anything but an event stream", async () => {
    const listed = json({ items: [], page: 1, size: 0, total: 0 });
    await expect(eventsOf([listed], 1)).rejects.toMatchObject({
      name: "InputError",
      message: "GET /api/hyperfleet/v1/clusters: the server does not support watches: it sent application/json",
    });
  });

  test("restarts when the initial list breaks off, which has no positions", async () => {
    const listed = (name: string): string => `event: present\ndata: {"name":"${name}"}\n\n`;
    const script = [stream(listed("a"), "break"), stream(`${listed("b")}event: synced\nid: 1\n\n`)];
    expect(await eventsOf(script, 4)).toEqual([
      ["present a", "restarted", "present b", "synced"],
      ["", ""],
    ]);
  });

  test("reconnects when a connection is idle for too long", async () => {
    const silent: ScriptedResponse = () => new Response(new ReadableStream());
    expect(await eventsOf([silent, stream(present(1, "a"))], 1)).toEqual([["present a"], ["", ""]]);
  });

  test("ends with its signal, even if the connection does not react to it", async () => {
    const { client } = scriptedClient([stream(present(1, "a")), () => new Response(new ReadableStream())], {
      clock: realClock,
    });
    const stop = new AbortController();
    const watch = client.collection(CLUSTER).watch({ signal: stop.signal });
    await watch.next();
    const next = watch.next();
    stop.abort();
    await expect(next).rejects.toMatchObject({ name: "AbortError" });
  });

  test("survives a server outage that is longer than the retries of a request", async () => {
    const away = Array.from({ length: 12 }, () => problem(503, "SVC-001", "the database is away"));
    expect(await eventsOf([stream(present(1, "a")), ...away, stream(present(2, "b"))], 2)).toEqual([
      ["present a", "present b"],
      ["", ...away.map(() => "1"), "1"],
    ]);
  });

  test("ends with an error response", async () => {
    await expect(eventsOf([problem(403, "AUZ-001", "not yours")], 1)).rejects.toMatchObject({ kind: "forbidden" });
  });
});
