import { controllerReference, isReady, objectKeyOf, kind, s } from "@levelset/core";
import { isWrite } from "@levelset/core/testing";
import { testCluster } from "@levelset/apiserver/testing";
import "@levelset/apiserver/testing/vitest";
import { describe, expect, test } from "vitest";
import { ok, reference, step, wait } from "../engine/index.ts";
import type { Req, Result } from "../engine/index.ts";
import { manager, operator } from "./index.ts";

const GROUP = { group: "test.levelset.dev", version: "v1" };
const Upper = kind({
  ...GROUP,
  kind: "Upper",
  spec: s.object({ reads: s.string().optional(), gone: s.boolean().default(false) }),
});
const Lower = kind({ ...GROUP, kind: "Lower", spec: s.object({}) });

/** Creates a Lower with the object's name and waits until it is ready, or deletes it. */
async function keepLower({ client, get, object, spec, signal }: Req<typeof Upper>): Promise<Result<undefined>> {
  const key = objectKeyOf(object);
  const lower = get(Lower, key);
  if (spec.gone) {
    if (lower !== undefined) await client.delete(Lower, key, { signal });
    return ok();
  }
  if (lower === undefined) {
    const metadata = { ...key, ownerReferences: [controllerReference(object)] };
    await client.create(Lower, { metadata, spec: {} }, { signal });
  }
  return lower !== undefined && isReady(lower) ? ok() : wait("not there yet");
}

const lower = operator(Lower, [step(Lower, "Nothing", { do: () => ok() })]);

describe("what one operator of a process writes", () => {
  // Watch events arrive after all responses.
  const LATE_MS = 5_000;

  test("enqueues another operator, in both directions, although the watch event is ignored", async () => {
    await using cluster = await testCluster();
    cluster.run(manager([operator(Upper, [step(Upper, "Keep", { owns: [Lower], do: keepLower })]), lower]));
    await cluster.apply(Upper, { name: "first", spec: {} });
    await cluster.untilIdle();
    cluster.faults.delayResponses(LATE_MS);
    await cluster.apply(Upper, { name: "a", spec: {} });
    await cluster.clock.advance(4 * LATE_MS);
    expect(await cluster.untilSettled(Lower, "a")).toBeReady();
    expect(await cluster.untilSettled(Upper, "a")).toBeReady();
    const writes = cluster.faults.count(isWrite);
    await cluster.clock.advance(600_000);
    expect(cluster.faults.count(isWrite)).toBe(writes);
  });

  test("enqueues other objects of the same operator, and so does a deletion", async () => {
    await using cluster = await testCluster({ kinds: [Lower] });
    const seen = step(Upper, "Seen", {
      condition: "Seen",
      reads: [reference(Upper, Lower, ({ spec }) => spec.reads)],
      do: ({ get, spec, namespace = "" }) => {
        if (spec.reads === undefined) return ok();
        return get(Lower, { namespace, name: spec.reads }) === undefined ? wait("missing") : ok();
      },
    });
    const make = step(Upper, "Make", {
      owns: [Lower],
      do: (req) => (req.spec.reads === undefined ? keepLower(req) : ok()),
    });
    cluster.run(operator(Upper, [seen, make]));
    await cluster.apply(Upper, { name: "reader", spec: { reads: "made" } });
    await cluster.untilIdle();
    cluster.faults.delayResponses(LATE_MS);
    await cluster.apply(Upper, { name: "made", spec: {} });
    await cluster.clock.advance(4 * LATE_MS);
    expect(await cluster.untilSettled(Upper, "reader")).toBeReady();
    await cluster.patch(Upper, "made", { spec: { gone: true } });
    await cluster.clock.advance(4 * LATE_MS);
    expect(await cluster.untilSettled(Upper, "reader")).toHaveCondition("Seen", "False", { message: "missing" });
  });
});
