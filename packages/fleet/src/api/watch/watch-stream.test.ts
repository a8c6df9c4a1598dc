import { silentLogger } from "@levelset/core";
import { untilIdle, seededRandom, VirtualClock } from "@levelset/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readKinds } from "../../resource/index.ts";
import { Fleet, localCaller } from "../../service/index.ts";
import { openStore, StoreUnavailableError } from "../../store/index.ts";
import type { FeedQuery, FleetStore } from "../../store/index.ts";
import type { WatchQuery } from "../watcher.ts";
import { FeedWatcher } from "./feed-watcher.ts";

const CALLER = localCaller("r");
const KINDS = readKinds([
  { kind: "Cluster", plural: "clusters" },
  { kind: "Channel", plural: "channels" },
]);
const HEARTBEAT_MS = 15_000;

let clock: VirtualClock;
let store: FleetStore;
let fleet: Fleet;
let stopping: AbortController;

beforeEach(async () => {
  clock = new VirtualClock();
  stopping = new AbortController();
  const world = { clock, random: seededRandom(1), logger: silentLogger };
  store = await openStore({ kind: "sqlite", path: ":memory:" }, world);
  fleet = new Fleet({ store, kinds: KINDS, ...world });
});

afterEach(async () => {
  stopping.abort();
  await untilIdle();
  await store.close();
});

async function create(kind: string, name: string): Promise<void> {
  const found = KINDS.find(kind);
  if (found === undefined) throw new TypeError(`there is no kind ${kind}`);
  const declared = { kind: found, parent: undefined, name, spec: {}, labels: {}, references: {} };
  await fleet.create(CALLER, declared);
}

/** Collects the events of a watcher, each as its name and position. */
async function watch(
  request: Partial<WatchQuery>,
  from: Pick<FleetStore, "feed" | "feedEnd" | "list" | "onCommit"> = store,
): Promise<string[]> {
  const watcher = new FeedWatcher({ store: from, clock, random: seededRandom(1), logger: silentLogger });
  const { signal } = stopping;
  const response = await watcher.watch({
    caller: CALLER,
    selection: undefined,
    lastEventId: undefined,
    signal,
    ...request,
  });
  const reported: string[] = [];
  void (async (): Promise<void> => {
    if (response.body?.kind !== "stream") throw new TypeError("a watch is a stream");
    for await (const chunk of response.body.chunks) {
      reported.push(
        ...chunk
          .split("\n\n")
          .flatMap((text) => (text === "" ? [] : [text.replaceAll(/\ndata: .*/g, "").replaceAll("\n", " ")])),
      );
    }
    reported.push("end");
  })();
  await clock.advance(100);
  return reported;
}

test("an idle watcher gets heartbeats, and a bookmark when irrelevant changes occur", async () => {
  const reported = await watch({ kind: "Cluster" });
  expect(reported).toEqual([": watching", "event: synced id: 0"]);
  await clock.advance(HEARTBEAT_MS);
  expect(reported.slice(2)).toEqual([":"]);
  await create("Channel", "one");
  await clock.advance(1_000);
  expect(reported.slice(3)).toEqual([]);
  await clock.advance(HEARTBEAT_MS);
  expect(reported.slice(3)).toEqual(["event: bookmark id: 1"]);
  await create("Cluster", "two");
  await clock.advance(100);
  expect(reported.slice(4)).toEqual(["event: present id: 2"]);
});

test("a watcher receives changes even if the commit notification was lost", async () => {
  const withoutNotifications = { ...reading(), onCommit: () => () => {} };
  const reported = await watch({}, withoutNotifications);
  await create("Cluster", "a");
  await clock.advance(5_000);
  expect(reported.slice(2)).toEqual(["event: present id: 1"]);
});

test("a watch continues after a store failure without missing changes", async () => {
  let isAway = false;
  const feed = async (query: FeedQuery): ReturnType<FleetStore["feed"]> => {
    if (isAway) throw new StoreUnavailableError("away");
    return await store.feed(query);
  };
  const reported = await watch({}, { ...reading(), feed });
  isAway = true;
  await create("Cluster", "a");
  await clock.advance(3_000);
  expect(reported.slice(2)).toEqual([]);
  isAway = false;
  await clock.advance(5_000);
  expect(reported.slice(2)).toEqual(["event: present id: 1"]);
});

test("a watch whose position expires gets an expired event", async () => {
  let isForgotten = false;
  const feed = async (query: FeedQuery): ReturnType<FleetStore["feed"]> => {
    return isForgotten ? { kind: "expired" } : await store.feed(query);
  };
  const reported = await watch({}, { ...reading(), feed });
  isForgotten = true;
  await clock.advance(6_000);
  expect(reported.slice(2)).toEqual(["event: expired", "end"]);
});

test("a watch ends after its lifetime, so that the client authenticates again", async () => {
  const reported = await watch({});
  await clock.advance(35 * 60_000);
  expect(reported.at(-1)).toBe("end");
});

test("lists and feeds with several pages are complete", async () => {
  for (let at = 0; at < 600; at += 1) await create("Cluster", `c-${at}`);
  const all = await watch({});
  expect(all.filter((event) => event === "event: present")).toHaveLength(600);
  expect(all.at(-1)).toBe("event: synced id: 600");
  const missed = await watch({ lastEventId: "20" });
  expect(missed.filter((event) => event.startsWith("event: present"))).toHaveLength(580);
  expect(missed.at(-1)).toBe("event: synced id: 600");
});

function reading(): Pick<FleetStore, "feed" | "feedEnd" | "list" | "onCommit"> {
  return {
    feed: (query) => store.feed(query),
    feedEnd: () => store.feedEnd(),
    list: (query) => store.list(query),
    onCommit: (callback) => store.onCommit(callback),
  };
}
