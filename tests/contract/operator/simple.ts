import { isReady } from "@levelset/core";
import { installCrd } from "@levelset/operator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import simple, { Simple } from "../../../examples/01-simple/simple.ts";
import { connectSession } from "../../support/test-server.ts";
import type { TestServer } from "../../support/test-server.ts";
import { SimpleHarness } from "./simple-harness.ts";
import type { SimpleSpec } from "./simple-harness.ts";

/**
 * Contract of the Simple operator over real sockets, in addition to the scenarios of `tests/scenarios/engine`. The same suite
 * runs on the embedded server and on kube-apiserver, so its assertions hold for Kubernetes.
 */
export function simpleContract(name: string, start: () => Promise<TestServer>): void {
  describe(`the Simple operator on ${name}`, () => {
    let scenario: SimpleHarness | undefined;
    beforeAll(async () => {
      scenario = await SimpleHarness.open(await start());
    });
    afterAll(() => scenario?.[Symbol.asyncDispose]());

    for (const [sentence, check] of Object.entries(CASES)) {
      test(sentence, () => {
        if (scenario === undefined) throw new Error("the cluster did not start");
        return check(scenario);
      });
    }
  });
}

const CASES: Readonly<Record<string, (scenario: SimpleHarness) => Promise<void>>> = {
  "settled objects are not written again, even by a second operator process": async (scenario) => {
    const ready = await scenario.createUntil({ dividend: 9, divisor: 3 }, isReady);
    await using second = await connectSession(scenario.target);
    const before = scenario.session.count("PATCH");
    second.run(simple);
    // An operator reconciles existing objects before new ones.
    await scenario.createUntil({ dividend: 8, divisor: 2 }, isReady);
    const live = await scenario.client.get(Simple, { namespace: "default", name: ready.metadata.name });
    expect(live.metadata.resourceVersion).toBe(ready.metadata.resourceVersion);
    // At most one write each, for the new object: the second write is rejected.
    expect(second.count("PATCH")).toBeLessThanOrEqual(1);
    expect(scenario.session.count("PATCH") - before).toBeLessThanOrEqual(1);
  },

  "a spec of the wrong type is rejected with the path of the field": async (scenario) => {
    // The compiler rejects both specs, but a YAML file is not compiled.
    const wrong = { dividend: "ten", divisor: 5 } as unknown as SimpleSpec;
    await expect(scenario.create(wrong)).rejects.toMatchObject({
      reason: "Invalid",
      code: 422,
      details: { kind: "Simple", causes: [{ reason: "FieldValueTypeInvalid", field: "spec.dividend" }] },
    });
    const incomplete = { dividend: 1 } as SimpleSpec;
    await expect(scenario.create(incomplete)).rejects.toMatchObject({
      details: { causes: [expect.objectContaining({ reason: "FieldValueRequired", field: "spec.divisor" })] },
    });
  },

  "installing an unchanged kind again changes nothing": async (scenario) => {
    expect(await installCrd(scenario.client, Simple, scenario.session.world)).toBe("unchanged");
  },
};
