import { ConfigMap, silentLogger } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { seededRandom } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import type { TestCluster } from "@levelset/apiserver/testing";
import { Cache } from "@levelset/operator";
import { describe, expect, test } from "vitest";
import { ContestedObjectError } from "../contested-object-error.ts";
import type { ObjectLocator } from "../transport.ts";
import { KubernetesTransport } from "./kubernetes-transport.ts";

const { signal } = new AbortController();
/** How long an adapter collects changes before it runs. */
const GATHER_MS = 100;

/** One process of the adapter `dns`. It applies one ConfigMap, and applies it again whenever it changes. */
class AdapterProcess {
  readonly transport: KubernetesTransport;
  runs = 0;
  /** The failure of the latest run. */
  failure: ContestedObjectError | undefined;
  readonly #cluster: TestCluster;
  #color: string;
  #generation = 1;
  #isGathering = false;

  constructor(cluster: TestCluster, color: string) {
    const { clock, fetch } = cluster;
    const cache = new Cache({ fetch, clock, random: seededRandom(1), logger: silentLogger });
    this.transport = new KubernetesTransport({ cache, adapter: "dns", clock });
    this.#cluster = cluster;
    this.#color = color;
    this.transport.onChange(() => this.#changed());
  }

  /** Applies another color from the next generation on. */
  async repaint(color: string): Promise<void> {
    this.#color = color;
    this.#generation += 1;
    await this.run();
  }

  async run(): Promise<void> {
    this.runs += 1;
    const target: ObjectLocator = {
      apiVersion: "v1",
      kind: "ConfigMap",
      namespace: "default",
      by: { kind: "name", name: "shared" },
    };
    const manifest: JsonObject = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "shared", namespace: "default" },
      data: { color: this.#color },
    };
    const mark = { adapter: "dns", resourceId: "c1", generation: this.#generation };
    const [live] = await this.transport.find(target, signal);
    this.failure = undefined;
    try {
      await this.transport.apply(target, manifest, live, { recreate: false, adopt: false, owner: mark, signal });
    } catch (error) {
      if (!(error instanceof ContestedObjectError)) throw error;
      this.failure = error;
    }
  }

  #changed(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#cluster.clock.after(GATHER_MS, () => {
      this.#isGathering = false;
      void this.run();
    });
  }
}

/** Runs two processes with different configurations for a while. */
async function contest(cluster: TestCluster): Promise<readonly [AdapterProcess, AdapterProcess]> {
  const [red, blue] = [new AdapterProcess(cluster, "red"), new AdapterProcess(cluster, "blue")];
  await red.run();
  await blue.run();
  await cluster.clock.advance(60_000);
  await cluster.untilIdle();
  return [red, blue];
}

describe("two processes of an adapter that apply different values to one object", () => {
  test("write it a few times only, and name the field that the other one writes", async () => {
    await using cluster = await testCluster();
    const [red, blue] = await contest(cluster);
    expect(cluster.history(ConfigMap, "shared").length).toBeLessThanOrEqual(24);
    const messages = [red.failure?.message, blue.failure?.message];
    expect(messages).toContainEqual(
      expect.stringMatching(/^data\.color of configmap\/shared is also written by levelset-adapter-dns: /u),
    );
    const writes = cluster.history(ConfigMap, "shared").length;
    await cluster.clock.advance(3_600_000);
    // At most one write every five minutes, and the reaction of the other process.
    expect(cluster.history(ConfigMap, "shared").length - writes).toBeLessThanOrEqual(40);
  });

  test("recover without a pulse once one of them has stopped", async () => {
    await using cluster = await testCluster();
    const [red, blue] = await contest(cluster);
    blue.transport.close();
    await cluster.clock.advance(600_000);
    await cluster.untilIdle();
    expect(red.failure).toBeUndefined();
    expect((await cluster.get(ConfigMap, "shared"))?.data).toEqual({ color: "red" });
    const writes = cluster.history(ConfigMap, "shared").length;
    await cluster.clock.advance(3_600_000);
    expect(cluster.history(ConfigMap, "shared").length).toBe(writes);
  });

  test("apply another generation at once", async () => {
    await using cluster = await testCluster();
    const [red, blue] = await contest(cluster);
    blue.transport.close();
    await red.repaint("green");
    expect(red.failure).toBeUndefined();
    expect((await cluster.get(ConfigMap, "shared"))?.data).toEqual({ color: "green" });
  });
});

test("an object that another client deletes repeatedly is created a few times only", async () => {
  await using cluster = await testCluster();
  const red = new AdapterProcess(cluster, "red");
  await red.run();
  for (let round = 0; round < 100; round++) {
    if ((await cluster.get(ConfigMap, "shared")) !== undefined) await cluster.delete(ConfigMap, "shared");
    await cluster.clock.advance(GATHER_MS);
    await cluster.untilIdle();
  }
  const uids = new Set(cluster.history(ConfigMap, "shared").map(({ metadata }) => metadata.uid));
  expect(uids.size).toBeLessThanOrEqual(10);
  expect(red.failure?.message).toMatch(/^configmap\/shared is repeatedly deleted by another client/u);
});
