import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { expect, test } from "vitest";
import { Store, stores } from "./bucket.ts";
import type { Bucket, BucketApi } from "./bucket.ts";

/** A fake service whose buckets become ready when the test calls `finish`. */
class Buckets implements BucketApi {
  readonly all = new Map<string, Bucket>();

  async find(key: string): Promise<Bucket | undefined> {
    return this.all.get(key);
  }

  async put(key: string, gigabytes: number): Promise<Bucket> {
    const bucket: Bucket = { url: `s3://${this.all.size + 1}`, ...this.all.get(key), gigabytes, state: "building" };
    this.all.set(key, bucket);
    return bucket;
  }

  async remove(key: string): Promise<void> {
    this.all.delete(key);
  }

  finish(): void {
    for (const [key, bucket] of this.all) this.all.set(key, { ...bucket, state: "ready" });
  }
}

test("a bucket is created, updated with the spec, recreated when it is lost, and deleted with its object", async () => {
  await using cluster = await testCluster();
  const buckets = new Buckets();
  cluster.run(stores(buckets));
  await cluster.apply(Store, { name: "a", spec: { gigabytes: 1 } });
  expect(await cluster.untilSettled(Store, "a")).toHaveCondition("BucketReady", "False", {
    severity: "Info",
    message: "the bucket is being built",
  });
  buckets.finish();
  await cluster.clock.advance(10_000);
  const ready = await cluster.untilSettled(Store, "a");
  expect(ready).toBeReady();
  expect(ready.status?.url).toBe("s3://1");

  await cluster.patch(Store, "a", { spec: { gigabytes: 2 } });
  expect(await cluster.untilSettled(Store, "a")).not.toBeReady();
  expect([...buckets.all.values()]).toEqual([{ url: "s3://1", gigabytes: 2, state: "building" }]);

  buckets.finish();
  await cluster.clock.advance(10_000);
  buckets.all.clear();
  await cluster.clock.advance(600_000);
  expect(buckets.all.size).toBe(1);

  await cluster.delete(Store, "a");
  await cluster.untilIdle();
  expect(await cluster.get(Store, "a")).toBeUndefined();
  expect(buckets.all.size).toBe(0);
});
