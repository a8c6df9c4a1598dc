import { connect } from "node:net";
import { randomInt } from "@levelset/core/internal";
import { seededRandom } from "@levelset/core/testing";
import { describe, expect, test } from "vitest";
import { WatchedFleet } from "./watched-fleet.fixture.ts";
import type { WatchedBody } from "./watched-fleet.fixture.ts";

describe("a watch", () => {
  test("sends the existing resources, the synced event, and then changes", async () => {
    await using fleet = await WatchedFleet.start();
    const a = await fleet.create("a");
    await fleet.create("b");
    await using watch = await fleet.watch("clusters?watch=true");
    expect(watch.response.headers.get("content-type")).toBe("text/event-stream");
    expect(await watch.upTo("synced")).toEqual(["present a@1", "present b@1", "synced"]);
    await fleet.request("PATCH", `clusters/${a}`, { spec: { size: 1 } });
    expect(await watch.upTo("present a@2")).toEqual(["present a@2"]);
    await fleet.forceDelete(a);
    expect(await watch.upTo("gone a@3")).toContain("gone a@3");
  });

  test("can be restricted to a kind, an owner and selected fields", async () => {
    await using fleet = await WatchedFleet.start();
    const one = await fleet.request("POST", "channels", { kind: "Channel", name: "one", spec: {} });
    const two = await fleet.request("POST", "channels", { kind: "Channel", name: "two", spec: {} });
    await using clusters = await fleet.watch("clusters?watch=true");
    await using all = await fleet.watch("resources?watch=true&fields=name,generation");
    await using below = await fleet.watch(`channels/${one.id}/versions?watch=true`);
    await clusters.upTo("synced");
    await all.upTo("synced");
    await below.upTo("synced");
    await fleet.request("POST", `channels/${two.id}/versions`, { kind: "Version", name: "v-two", spec: {} });
    await fleet.request("POST", `channels/${one.id}/versions`, { kind: "Version", name: "v-one", spec: {} });
    await fleet.create("cluster");
    expect(await clusters.upTo("present cluster@1")).toEqual(["present cluster@1"]);
    expect(await below.upTo("present v-one@1")).toEqual(["present v-one@1"]);
    expect(await all.upTo("present cluster@1")).toEqual(["present v-two@1", "present v-one@1", "present cluster@1"]);
    await fleet.create("last");
    const { data } = (await all.next()) ?? { data: "" };
    expect(Object.keys(JSON.parse(data) as object).toSorted()).toEqual(["generation", "id", "name"]);
  });

  test("with a search reports resources that start or stop matching, and no others", async () => {
    await using fleet = await WatchedFleet.start();
    const a = await fleet.create("a", { labels: { shard: "1" } });
    const b = await fleet.create("b", { labels: { shard: "2" } });
    const search = encodeURIComponent("labels.shard='1'");
    await using watch = await fleet.watch(`clusters?watch=true&search=${search}`);
    expect(await watch.upTo("synced")).toEqual(["present a@1", "synced"]);
    await fleet.request("PATCH", `clusters/${b}`, { spec: { size: 1 } });
    await fleet.request("PATCH", `clusters/${a}`, { labels: { shard: "2" } });
    await fleet.request("PATCH", `clusters/${a}`, { spec: { size: 2 } });
    await fleet.request("PATCH", `clusters/${b}`, { labels: { shard: "1" } });
    const reported = await watch.upTo("present b@3");
    expect(reported.map((event) => event.split("@")[0])).toEqual(["gone a", "present b"]);
    const position = watch.lastId;
    await fleet.request("PATCH", `clusters/${b}`, { labels: {} });
    await using resumed = await fleet.watch(`clusters?watch=true&search=${search}`, { "last-event-id": position });
    expect(await resumed.upTo("synced")).toEqual(["gone b@4", "synced"]);
  });

  test("of a tenant never receives resources of other tenants, also after it resumed", async () => {
    await using fleet = await WatchedFleet.start({ hasTenants: true });
    const acme = { "x-org": "acme" };
    await fleet.create("mine", {}, acme);
    await fleet.create("theirs", {}, { "x-org": "other" });
    await using watch = await fleet.watch("resources?watch=true", acme);
    expect(await watch.upTo("synced")).toEqual(["present mine@1", "synced"]);
    const position = watch.lastId;
    await fleet.create("theirs-too", {}, { "x-org": "other" });
    await fleet.create("mine-too", {}, acme);
    expect(await watch.upTo("present mine-too@1")).toEqual(["present mine-too@1"]);
    await using resumed = await fleet.watch("resources?watch=true", { ...acme, "last-event-id": position });
    expect(await resumed.upTo("synced")).toEqual(["present mine-too@1", "synced"]);
  });

  test("ends with the server", async () => {
    const fleet = await WatchedFleet.start();
    await using watch = await fleet.watch("clusters?watch=true");
    await watch.upTo("synced");
    await fleet[Symbol.asyncDispose]();
    expect(await watch.next()).toBeUndefined();
    expect(fleet.watcher.watchers).toBe(0);
  });
});

describe("limits of watching", () => {
  test("an expired position is answered with 410", async () => {
    await using fleet = await WatchedFleet.start();
    const a = await fleet.create("a");
    await using watch = await fleet.watch("clusters?watch=true");
    await watch.upTo("synced");
    const position = watch.lastId;
    await fleet.forceDelete(a);
    await watch.upTo("gone a@2");
    const past = { auditBefore: 0, answersBefore: 0, reportsPerResource: 10 };
    await fleet.store.trim({ ...past, removedBefore: Number.MAX_SAFE_INTEGER });
    for (const lastEventId of [position, "nonsense"]) {
      await using late = await fleet.watch("clusters?watch=true", { "last-event-id": lastEventId });
      expect(late.response.status).toBe(410);
      const { code } = (await late.response.json()) as WatchedBody;
      expect(code).toBe("HYPERFLEET-NTF-004");
    }
    await using resumed = await fleet.watch("clusters?watch=true", { "last-event-id": watch.lastId });
    expect(await resumed.upTo("synced")).toEqual(["synced"]);
  });

  test("excess watches are refused until one has ended", async () => {
    await using fleet = await WatchedFleet.start({ watchersMax: 1 });
    const first = await fleet.watch("clusters?watch=true");
    await first.upTo("synced");
    await using second = await fleet.watch("clusters?watch=true");
    expect(second.response.status).toBe(503);
    expect(second.response.headers.get("retry-after")).toBe("5");
    await first[Symbol.asyncDispose]();
    await expect.poll(() => fleet.watcher.watchers).toBe(0);
    await using third = await fleet.watch("clusters?watch=true");
    expect(third.response.status).toBe(200);
  });

  test("a slow reader is disconnected, and others are unaffected", async () => {
    await using fleet = await WatchedFleet.start({ backlogMax: 20 });
    const { hostname, port, pathname } = new URL(fleet.at("clusters"));
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${pathname}?watch=true HTTP/1.1\r\nhost: fleet\r\n\r\n`);
    socket.pause();
    await expect.poll(() => fleet.watcher.watchers).toBe(1);
    await using reader = await fleet.watch("clusters?watch=true");
    await reader.upTo("synced");
    const spec = { text: "x".repeat(400_000) };
    for (let at = 0; at < 80 && fleet.watcher.watchers === 2; at += 1) {
      await fleet.create(`c-${at}`, { spec });
      await reader.upTo(`present c-${at}@1`);
    }
    await expect.poll(() => fleet.watcher.watchers).toBe(1);
    socket.destroy();
    await fleet.create("after");
    expect(await reader.upTo("present after@1")).toEqual(["present after@1"]);
  });
});

test("a client that reconnects repeatedly during 200 changes misses no change and gets no duplicates", async () => {
  await using fleet = await WatchedFleet.start();
  const random = seededRandom(11);
  const ids: string[] = [];
  const change = async (at: number): Promise<void> => {
    const id = ids[randomInt(random, 0, ids.length - 1)];
    const choice = random.next();
    if (id === undefined || choice < 0.3) ids.push(await fleet.create(`c-${at}`));
    else if (choice < 0.85) await fleet.request("PATCH", `clusters/${id}`, { spec: { at } });
    else {
      ids.splice(ids.indexOf(id), 1);
      await fleet.forceDelete(id);
    }
  };
  const changing = (async (): Promise<void> => {
    for (let at = 0; at < 200; at += 1) await change(at);
    await fleet.create("the-last");
  })();
  const mirror = new Map<string, number>();
  const received: string[] = [];
  let position = "";
  for (let isOver = false; !isOver;) {
    await using watch = await fleet.watch("clusters?watch=true", position === "" ? {} : { "last-event-id": position });
    // Only events after the initial list have a position to resume from.
    const eventsMax = position === "" ? Infinity : randomInt(random, 1, 12);
    for (let count = 0; count < eventsMax && !isOver; count += 1) {
      const event = await watch.next();
      if (event === undefined) break;
      position = watch.lastId;
      if (event.event === "synced" && eventsMax === Infinity) break;
      if (event.event !== "present" && event.event !== "gone") continue;
      const { id, name, generation } = JSON.parse(event.data) as WatchedBody;
      received.push(`${event.event} ${id} ${generation}`);
      if (event.event === "present") mirror.set(id, generation);
      else mirror.delete(id);
      isOver = name === "the-last";
    }
  }
  await changing;
  const { items } = await fleet.store.list({
    scope: { kind: "all" },
    order: [{ column: "id", direction: "asc" }],
    page: { kind: "page", page: 1, size: 500 },
  });
  expect(mirror).toEqual(new Map(items.map(({ resource }) => [resource.id, resource.generation])));
  expect(new Set(received).size).toBe(received.length);
  expect(received.length).toBeGreaterThan(50);
});
