import { ConfigMap } from "@levelset/core";
import { expect, test } from "vitest";
import { MemoryStore } from "../store/index.ts";
import type { StoreWatch, WatchScope } from "../store/index.ts";
import { ControllerHarness } from "./controller-harness.fixture.ts";
import { ChangeFeed } from "./change-feed.ts";
import type { RecordChangeHandler } from "./change-feed.ts";

/** Collects the names of all objects from the feed. */
class Names implements RecordChangeHandler {
  readonly names = new Set<string>();
  resets = 0;

  onReset(): void {
    this.resets++;
    this.names.clear();
  }

  onChange({ key, current }: Parameters<RecordChangeHandler["onChange"]>[0]): void {
    if (current === undefined) this.names.delete(key.name);
    else this.names.add(key.name);
  }
}

/** A store whose first watch can be ended as too slow. */
class ForgetfulStore extends MemoryStore {
  lose: (() => void) | undefined;

  override watch(scope: WatchScope, from: number, notify: () => void): ReturnType<MemoryStore["watch"]> {
    const watch = super.watch(scope, from, notify);
    if (watch.kind === "compacted" || this.lose !== undefined) return watch;
    let ended: StoreWatch["endReason"];
    this.lose = () => {
      watch.close();
      ended = "slow";
      notify();
    };
    return {
      kind: "watch",
      take: (max) => watch.take(max),
      get pendingCount() {
        return watch.pendingCount;
      },
      get endReason() {
        return ended ?? watch.endReason;
      },
      close: () => watch.close(),
    };
  }
}

test("handlers receive all objects, then every write before it returns", async () => {
  using cluster = await ControllerHarness.start();
  await cluster.create(ConfigMap, { metadata: { name: "a" } });
  const names = new Names();
  const feed = new ChangeFeed({ store: cluster.store, resources: () => ["configmaps"] }, [names]);
  feed.start();
  expect([...names.names]).toEqual(["a"]);
  await cluster.create(ConfigMap, { metadata: { name: "b" } });
  await cluster.delete(ConfigMap, "a");
  expect([...names.names]).toEqual(["b"]);
  feed.close();
  await cluster.create(ConfigMap, { metadata: { name: "c" } });
  expect([...names.names]).toEqual(["b"]);
});

test("a feed that was too slow restarts from the current objects", async () => {
  const store = new ForgetfulStore();
  const names = new Names();
  const feed = new ChangeFeed({ store, resources: () => ["configmaps"] }, [names]);
  feed.start();
  const lose = store.lose;
  using cluster = await ControllerHarness.start({ store });
  await cluster.create(ConfigMap, { metadata: { name: "a" } });
  lose?.();
  await cluster.create(ConfigMap, { metadata: { name: "b" } });
  expect([names.resets, [...names.names].filter((name) => name.length === 1)]).toEqual([2, ["a", "b"]]);
  feed.close();
});
