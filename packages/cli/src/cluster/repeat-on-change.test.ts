import { ConfigMap, isAbortError, Secret, silentLogger } from "@levelset/core";
import type { Kind } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { Cache } from "@levelset/operator";
import type { Informer } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { repeatOnChange } from "./repeat-on-change.ts";

function informerOf<K extends Kind>(cluster: TestCluster, kind: K): Informer<K> {
  const { clock, faults } = cluster;
  return new Cache({ fetch: faults.fetch, clock, random: seededRandom(1), logger: silentLogger }).watch(kind);
}

describe("repeatOnChange", () => {
  test("runs after the first read and after each change, and sends only watches in between", async () => {
    await using cluster = await testCluster();
    await cluster.create(ConfigMap, { name: "a" });
    const informer = informerOf(cluster, ConfigMap);
    const seen: number[] = [];
    const world = { signal: new AbortController().signal, stderr: () => {} };
    const repeated = repeatOnChange([{ informer }], world, () => {
      seen.push(informer.list().length);
      return Promise.resolve(seen.length === 2);
    });
    await cluster.clock.advance(2 * 3_600_000);
    expect(seen).toEqual([1]);
    expect(cluster.faults.count(({ query }) => !query.includes("watch=true"))).toBe(0);
    await cluster.create(ConfigMap, { name: "b" });
    await cluster.untilIdle();
    await repeated;
    expect(seen).toEqual([1, 2]);
  });

  test("runs once more for changes that arrive while it runs", async () => {
    await using cluster = await testCluster();
    const informer = informerOf(cluster, ConfigMap);
    const world = { signal: new AbortController().signal, stderr: () => {} };
    let runs = 0;
    await repeatOnChange([{ informer }], world, async () => {
      if (++runs === 2) return true;
      for (const name of ["a", "b", "c"]) await cluster.create(ConfigMap, { name });
      await cluster.untilIdle();
      return false;
    });
    expect([runs, informer.list().length]).toEqual([2, 3]);
  });

  test("rejects when a collection cannot be read, unless the command works without it", async () => {
    await using cluster = await testCluster();
    const isForbidden = (): void => {
      for (let nth = 1; nth <= 2; nth++) {
        cluster.faults.failNth(1, { kind: "status", reason: "Forbidden" }, ({ path }) => path.endsWith("/secrets"));
      }
    };
    const world = { signal: new AbortController().signal, stderr: () => {} };
    isForbidden();
    const act = (): Promise<boolean> => Promise.resolve(true);
    const required = { informer: informerOf(cluster, Secret) };
    await expect(repeatOnChange([required], world, act)).rejects.toMatchObject({ reason: "Forbidden" });
    isForbidden();
    const optional = { informer: informerOf(cluster, Secret), isOptional: true };
    await expect(repeatOnChange([{ informer: informerOf(cluster, ConfigMap) }, optional], world, act)).resolves.toBe(
      undefined,
    );
  });

  test("reports a broken watch once, continues, and ends when the signal aborts", async () => {
    await using cluster = await testCluster();
    const stop = new AbortController();
    let output = "";
    const world = { signal: stop.signal, stderr: (text: string) => void (output += text) };
    let runs = 0;
    const repeated = repeatOnChange([{ informer: informerOf(cluster, ConfigMap) }], world, () => {
      runs++;
      return Promise.resolve(false);
    });
    await cluster.untilIdle();
    cluster.faults.cutWatches();
    for (let nth = 1; nth <= 3; nth++) cluster.faults.failNth(1, { kind: "refused" });
    await cluster.create(ConfigMap, { name: "a" });
    await cluster.clock.advance(60_000);
    expect(output.match(/connection refused \(injected\); retrying\n/gu)).toHaveLength(1);
    expect(runs).toBe(2);
    stop.abort();
    await expect(repeated).rejects.toSatisfy(isAbortError);
  });
});
