import { ConfigMap } from "@levelset/core";
import { expect, test } from "vitest";
import { MemoryStore } from "../store/index.ts";
import type { StoreWatch, WatchScope } from "../store/index.ts";
import { Cluster } from "./cluster.fixture.ts";
import { Feed } from "./feed.ts";
import type { Follower } from "./feed.ts";

/** Names of what there is, as a follower sees it. */
class Names implements Follower {
  readonly names = new Set<string>();
  resets = 0;

  reset(): void {
    this.resets++;
    this.names.clear();
  }

  follow({ key, now }: Parameters<Follower["follow"]>[0]): void {
    if (now === undefined) this.names.delete(key.name);
    else this.names.add(key.name);
  }
}

/** A store whose first watch for everything is ended as too slow on demand. */
class ForgetfulStore extends MemoryStore {
  lose: (() => void) | undefined;

  override watch(scope: WatchScope, from: number, wake: () => void): ReturnType<MemoryStore["watch"]> {
    const watch = super.watch(scope, from, wake);
    if (watch.kind === "compacted" || this.lose !== undefined) return watch;
    let ended: StoreWatch["ended"];
    this.lose = () => {
      watch.close();
      ended = "slow";
      wake();
    };
    return {
      kind: "watch",
      take: (max) => watch.take(max),
      get waiting() {
        return watch.waiting;
      },
      get ended() {
        return ended ?? watch.ended;
      },
      close: () => watch.close(),
    };
  }
}

test("followers hear of all there is, then of every write before the writer goes on", async () => {
  using cluster = await Cluster.start();
  await cluster.create(ConfigMap, { metadata: { name: "a" } });
  const names = new Names();
  const feed = new Feed({ store: cluster.store, resources: () => ["configmaps"] }, [names]);
  feed.start();
  expect([...names.names]).toEqual(["a"]);
  await cluster.create(ConfigMap, { metadata: { name: "b" } });
  await cluster.delete(ConfigMap, "a");
  expect([...names.names]).toEqual(["b"]);
  feed.close();
  await cluster.create(ConfigMap, { metadata: { name: "c" } });
  expect([...names.names]).toEqual(["b"]);
});

test("a feed that was too slow starts again from what there is", async () => {
  const store = new ForgetfulStore();
  const names = new Names();
  const feed = new Feed({ store, resources: () => ["configmaps"] }, [names]);
  feed.start();
  const lose = store.lose;
  using cluster = await Cluster.start({ store });
  await cluster.create(ConfigMap, { metadata: { name: "a" } });
  lose?.();
  await cluster.create(ConfigMap, { metadata: { name: "b" } });
  expect([names.resets, [...names.names].filter((name) => name.length === 1)]).toEqual([2, ["a", "b"]]);
  feed.close();
});
