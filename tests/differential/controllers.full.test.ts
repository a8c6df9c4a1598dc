import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onRealCluster } from "../support/real-cluster.ts";
import { embeddedTarget } from "../support/target.ts";
import { CORE, SCENES } from "./controllers/scenes.ts";
import { items, post, reached, settled } from "./controllers/server.ts";
import { askable } from "./pair.ts";
import type { Asked } from "./pair.ts";

await onRealCluster("controllers as on a real cluster", (start) => {
  describe("controllers as on a real cluster", () => {
    let ours: Asked;
    let real: Asked;

    beforeAll(async () => {
      // Without nodes nothing runs, as on a control plane without any.
      ours = await askable(await embeddedTarget({ serviceAccounts: true, workloads: { nodes: 0 } }));
      real = await askable(await start({ controllerManager: true }));
    });

    afterAll(async () => {
      await ours[Symbol.asyncDispose]();
      await real[Symbol.asyncDispose]();
    });

    test.concurrent.for(SCENES.map((scene, index) => [scene.name, scene, `scene-${index}`] as const))(
      "%s",
      { timeout: 60_000 },
      async ([, scene, namespace]) => {
        for (const asked of [ours, real]) {
          await post(asked, CORE, { metadata: { name: namespace } });
          await settled(async () => (await items(asked, `${CORE}/${namespace}/serviceaccounts`)).length);
        }
        for (const [step, act] of scene.acts.entries()) {
          await act(ours, namespace);
          const expected = await settled(() => scene.look(ours, namespace));
          await act(real, namespace);
          const touch = async (): Promise<void> => scene.touch?.(real, namespace);
          const seen = await reached(() => scene.look(real, namespace), expected, touch);
          expect({ step, ours: expected }).toEqual({ step, ours: seen });
        }
      },
    );
  });
});
