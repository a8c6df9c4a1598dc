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
    async (harness) => {
      const { calls, step } = recorder();
      const annotate = (tick: string): Promise<unknown> =>
        harness.patch(Thing, "a", { metadata: { annotations: { "scenarios.levelset.dev/tick": tick } } });
      const busy = step("A", {
        do: async ({ status, spec }) => {
          if (calls.length === 1) await annotate("first run");
          status.note = spec.mode;
          return ok();
        },
        cleanup: async () => {
          await annotate("cleanup");
          // Our finalizer moves to another position in the list.
          await harness.patch(Thing, "a", { metadata: { finalizers: [FINALIZER] } });
          return ok();
        },
      });
      await harness.run(operator(Thing, [busy]));
      const created = await harness.create(Thing, {
        metadata: { name: "a", finalizers: [HOLD] },
        spec: { mode: "one" },
      });
      const first = await harness.until(Thing, "a", isReady);
      const versions: readonly ObjectOf<Thing>[] = await harness.versions(Thing, created, first);
      expect(versions.filter(({ status }) => status?.note !== undefined)).toHaveLength(1);
      expect(first.metadata.annotations).toEqual({ "scenarios.levelset.dev/tick": "first run" });
      expect(first.metadata.finalizers).toEqual([HOLD, FINALIZER]);
      await harness.delete(Thing, "a");
      await harness.untilDeleted(Thing, "a");
      expect(calls.filter((call) => call === "A.cleanup")).toHaveLength(1);
    },
};
