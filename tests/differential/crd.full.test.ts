import { deepEqual } from "@levelset/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onRealCluster } from "../support/real-cluster.ts";
import { DECLARATIONS } from "./crd/declarations.ts";
import { declarationOutcomes, sceneOutcomes } from "./crd/runner.ts";
import { RATCHETING_SCENES } from "./crd/ratcheting.ts";
import { SCENES } from "./crd/scenes.ts";
import { SCHEMA_DECLARATIONS } from "./crd/schemas.ts";
import { askable, embeddedAskable } from "./pair.ts";
import type { Asked } from "./pair.ts";

await onRealCluster("declared kinds beside a real kube-apiserver", (start) => {
  describe("declared kinds beside a real kube-apiserver", () => {
    let real: Asked;
    let ours: Asked;
    beforeAll(async () => {
      [real, ours] = [await askable(await start()), await embeddedAskable()];
    }, 120_000);
    afterAll(() => Promise.all([real, ours].map((server) => server[Symbol.asyncDispose]())));

    test("declarations come out the same, good and bad", async () => {
      const differences: object[] = [];
      for (const each of [...DECLARATIONS, ...SCHEMA_DECLARATIONS]) {
        const [expected, found] = await Promise.all([real, ours].map((server) => declarationOutcomes(server, each)));
        if (!deepEqual(expected, found)) differences.push({ case: each.name, expected, found });
      }
      expect(differences).toEqual([]);
    }, 60_000);

    test("so do their objects, while declarations change", async () => {
      const differences: object[] = [];
      await Promise.all(
        [...SCENES, ...RATCHETING_SCENES].map(async (each) => {
          const [expected, found] = await Promise.all([real, ours].map((server) => sceneOutcomes(server, each)));
          if (!deepEqual(expected, found)) differences.push({ scene: each.name, expected, found });
        }),
      );
      expect(differences).toEqual([]);
    }, 60_000);
  });
});
