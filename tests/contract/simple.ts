import { isReady } from "@levelset/core";
import { installKind } from "@levelset/operator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import simple, { Simple } from "../../examples/01-simple/simple.ts";
import { session } from "../support/target.ts";
import type { Target } from "../support/target.ts";
import { Scene } from "./scene.ts";
import type { SimpleSpec } from "./scene.ts";

/**
 * What the Simple operator does on any cluster, over real sockets, beside the scenarios of `tests/engine`. The same suite runs against
 * the embedded server and against a real kube-apiserver: what it asserts is true of Kubernetes, and not of our idea of it.
 */
export function simpleContract(name: string, start: () => Promise<Target>): void {
  describe(`the Simple operator on ${name}`, () => {
    let scene: Scene | undefined;
    beforeAll(async () => {
      scene = await Scene.open(await start());
    });
    afterAll(() => scene?.[Symbol.asyncDispose]());

    for (const [sentence, check] of Object.entries(CASES)) {
      test(sentence, () => {
        if (scene === undefined) throw new Error("the cluster did not start");
        return check(scene);
      });
    }
  });
}

const CASES: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  "settled objects are not written again, also not by another operator that starts beside the first": async (scene) => {
    const ready = await scene.createUntil({ dividend: 9, divisor: 3 }, isReady);
    await using second = await session(scene.target);
    const before = scene.session.count("PATCH");
    second.run(simple);
    // An operator goes over what is there before it comes to what is new.
    await scene.createUntil({ dividend: 8, divisor: 2 }, isReady);
    const live = await scene.client.get(Simple, { namespace: "default", name: ready.metadata.name });
    expect(live.metadata.resourceVersion).toBe(ready.metadata.resourceVersion);
    // One write each at most, for the new object: whoever comes second is refused.
    expect(second.count("PATCH")).toBeLessThanOrEqual(1);
    expect(scene.session.count("PATCH") - before).toBeLessThanOrEqual(1);
  },

  "a spec of the wrong type is refused with the path of the field": async (scene) => {
    // The compiler refuses both; a YAML file has no compiler.
    const wrong = { dividend: "ten", divisor: 5 } as unknown as SimpleSpec;
    await expect(scene.create(wrong)).rejects.toMatchObject({
      reason: "Invalid",
      code: 422,
      details: { kind: "Simple", causes: [{ reason: "FieldValueTypeInvalid", field: "spec.dividend" }] },
    });
    const incomplete = { dividend: 1 } as SimpleSpec;
    await expect(scene.create(incomplete)).rejects.toMatchObject({
      details: { causes: [expect.objectContaining({ reason: "FieldValueRequired", field: "spec.divisor" })] },
    });
  },

  "installing an unchanged kind again changes nothing": async (scene) => {
    expect(await installKind(scene.client, Simple, scene.session.world)).toBe("unchanged");
  },
};
