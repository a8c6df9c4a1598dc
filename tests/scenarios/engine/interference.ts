import { isReady } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { ok, operator } from "@levelset/operator";
import { expect } from "vitest";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import { FINALIZER, recorder, Thing } from "./thing.ts";

const HOLD = "scenarios.levelset.dev/hold";

/** Scenarios about other clients that write an object during its reconciliation. */
export const INTERFERENCE: Scenarios = {
  "an unrelated annotation that is written during a run blocks neither the status write nor the end of a deletion":
    async (cluster) => {
      const { calls, step } = recorder();
      const annotate = (tick: string): Promise<unknown> =>
        cluster.patch(Thing, "a", { metadata: { annotations: { "scenarios.levelset.dev/tick": tick } } });
      const busy = step("A", {
        do: async ({ status, spec }) => {
          if (calls.length === 1) await annotate("first run");
          status.note = spec.mode;
          return ok();
        },
        cleanup: async () => {
          await annotate("cleanup");
          // Our finalizer moves to another position in the list.
          await cluster.patch(Thing, "a", { metadata: { finalizers: [FINALIZER] } });
          return ok();
        },
      });
      await cluster.run(operator(Thing, [busy]));
      const created = await cluster.create(Thing, {
        metadata: { name: "a", finalizers: [HOLD] },
        spec: { mode: "one" },
      });
      const first = await cluster.until(Thing, "a", isReady);
      const versions: readonly ObjectOf<Thing>[] = await cluster.versions(Thing, created, first);
      expect(versions.filter(({ status }) => status?.note !== undefined)).toHaveLength(1);
      expect(first.metadata.annotations).toEqual({ "scenarios.levelset.dev/tick": "first run" });
      expect(first.metadata.finalizers).toEqual([HOLD, FINALIZER]);
      await cluster.delete(Thing, "a");
      await cluster.untilDeleted(Thing, "a");
      expect(calls.filter((call) => call === "A.cleanup")).toHaveLength(1);
    },
};
