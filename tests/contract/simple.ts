import { findCondition, isNotFound, isReady, randomText, realRandom } from "@levelset/core";
import type { ObjectOf, SpecOf } from "@levelset/core";
import { Client, installKind } from "@levelset/operator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import simple, { Simple } from "../../examples/01-simple/simple.ts";
import { session } from "../support/target.ts";
import type { Session, Target } from "../support/target.ts";

type Simple = ObjectOf<typeof Simple>;

/** Whether the status of an object speaks of its latest spec. */
const isCurrent = (object: Simple): boolean => object.status?.observedGeneration === object.metadata.generation;

/**
 * What the Simple operator does on any cluster, over real sockets. The same suite runs against the embedded server and against a real
 * kube-apiserver: what it asserts is true of Kubernetes, and not of our idea of it.
 */
export function simpleContract(name: string, start: () => Promise<Target>): void {
  describe(`the Simple operator on ${name}`, () => {
    let target: Target;
    let current: Session;
    let client: Client;

    beforeAll(async () => {
      target = await start();
      current = await session(target);
      client = new Client({ fetch: current.world.fetch, fieldManager: "contract" });
      await installKind(client, Simple, current.world);
      current.run(simple);
    });
    afterAll(async () => {
      await current[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    });

    /** A new object of its own for each test. */
    async function create(spec: SpecOf<typeof Simple>): Promise<Simple> {
      const metadata = { namespace: "default", name: `s-${randomText(realRandom, 8, "abcdefghijkmnopqrstuvwxyz")}` };
      return client.create(Simple, { metadata, spec });
    }

    /** Follows an object by a watch until it is as wanted; answers with every version seen on the way. */
    async function follow(object: Simple, wanted: (version: Simple) => boolean): Promise<readonly Simple[]> {
      const seen: Simple[] = [object];
      const { resourceVersion } = object.metadata;
      const fields = `metadata.name=${object.metadata.name}`;
      const watch = client.watch(Simple, { namespace: "default", fields, resourceVersion, timeoutSeconds: 30 });
      for await (const event of watch) {
        if (event.type === "BOOKMARK") continue;
        seen.push(event.object);
        if (wanted(event.object)) return seen;
      }
      throw new Error(`never as wanted: ${JSON.stringify(seen.at(-1)?.status)}`);
    }

    const patch = (object: Simple, spec: Partial<SpecOf<typeof Simple>>): Promise<Simple> =>
      client.mergePatch(Simple, { namespace: "default", name: object.metadata.name }, { spec });

    test("10/5 becomes 2 remainder 0, Ready at its generation", async () => {
      const ready = (await follow(await create({ dividend: 10, divisor: 5 }), isReady)).at(-1);
      expect(ready?.status).toMatchObject({ quotient: 2, remainder: 0, observedGeneration: 1 });
      expect(ready?.metadata.finalizers).toBeUndefined();
    });

    test("a broken spec is never Ready in any version that speaks of it, the old result goes, and an edit mends it", async () => {
      const first = (await follow(await create({ dividend: 10, divisor: 5 }), isReady)).at(-1);
      if (first === undefined) throw new Error("no version");
      const broken = await follow(await patch(first, { divisor: 0 }), isCurrent);
      const last = broken.at(-1);
      expect(findCondition(last?.status?.conditions, "InputReady")).toMatchObject({
        status: "False",
        severity: "Error",
        reason: "Error",
        message: "division by zero",
      });
      expect(findCondition(last?.status?.conditions, "Ready")).toMatchObject({
        status: "False",
        message: "division by zero",
      });
      expect(last?.status).not.toHaveProperty("quotient");
      expect(
        broken.filter((version) => version.metadata.generation === 2).filter((version) => isReady(version)),
      ).toEqual([]);
      const mended = (await follow(await patch(first, { divisor: 4 }), isReady)).at(-1);
      expect(mended?.status).toMatchObject({ quotient: 2, remainder: 2, observedGeneration: 3 });
    });

    test("settled objects are not written again, also not by another operator that starts beside them", async () => {
      const ready = (await follow(await create({ dividend: 9, divisor: 3 }), isReady)).at(-1);
      await using second = await session(target);
      const marker = (await follow(await create({ dividend: 1, divisor: 1 }), isReady)).at(-1);
      const patches = current.count("PATCH");
      second.run(simple);
      // The second operator has gone over all objects once it has settled one that is newer than they are.
      const later = await create({ dividend: 8, divisor: 2 });
      await follow(later, isReady);
      const live = await client.get(Simple, { namespace: "default", name: ready?.metadata.name ?? "" });
      expect(live.metadata.resourceVersion).toBe(ready?.metadata.resourceVersion);
      expect(second.count("PATCH") + current.count("PATCH") - patches).toBeLessThanOrEqual(2);
      expect(marker?.status?.quotient).toBe(1);
    });

    test("a spec of the wrong type is refused with the path of the field, and nothing is stored", async () => {
      // The compiler refuses it too; a YAML file has no compiler.
      const spec = { dividend: "ten", divisor: 5 } as unknown as SpecOf<typeof Simple>;
      await expect(create(spec)).rejects.toMatchObject({
        reason: "Invalid",
        code: 422,
        details: { kind: "Simple", causes: [{ reason: "FieldValueTypeInvalid", field: "spec.dividend" }] },
      });
      await expect(create({ dividend: 1 } as SpecOf<typeof Simple>)).rejects.toMatchObject({
        details: { causes: [expect.objectContaining({ reason: "FieldValueRequired", field: "spec.divisor" })] },
      });
    });

    test("deletion is immediate: there is no finalizer to wait for", async () => {
      const ready = (await follow(await create({ dividend: 4, divisor: 2 }), isReady)).at(-1);
      const key = { namespace: "default", name: ready?.metadata.name ?? "" };
      await client.delete(Simple, key);
      await expect(client.get(Simple, key)).rejects.toSatisfy(isNotFound);
    });

    test("installing an unchanged kind again changes nothing", async () => {
      expect(await installKind(client, Simple, current.world)).toBe("unchanged");
    });
  });
}
