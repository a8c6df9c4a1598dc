import { isReady } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { ok, operator } from "@levelset/operator";
import { expect } from "vitest";
import type { Scenarios } from "./scenario.ts";
import { FINALIZER, recorder, Thing } from "./thing.ts";

const HOLD = "scenarios.levelset.dev/hold";

/** Scenarios about other clients that write an object while it is reconciled. */
export const INTERFERENCE: Scenarios = {
  "an annotation that no step uses, written during a run, keeps neither a status nor the end of a deletion from being saved":
    async (stage) => {
      const { calls, step } = recorder();
      const annotate = (tick: string): Promise<unknown> =>
        stage.patch(Thing, "a", { metadata: { annotations: { "scenarios.levelset.dev/tick": tick } } });
      const busy = step("A", {
        do: async ({ status, spec }) => {
          if (calls.length === 1) await annotate("first run");
          status.note = spec.mode;
          return ok();
        },
        cleanup: async () => {
          await annotate("cleanup");
          // Our finalizer moves to another place in the list.
          await stage.patch(Thing, "a", { metadata: { finalizers: [FINALIZER] } });
          return ok();
        },
      });
      await stage.run(operator(Thing, [busy]));
      const created = await stage.create(Thing, { metadata: { name: "a", finalizers: [HOLD] }, spec: { mode: "one" } });
      const first = await stage.until(Thing, "a", isReady);
      const versions: readonly ObjectOf<Thing>[] = await stage.versions(Thing, created, first);
      expect(versions.filter(({ status }) => status?.note !== undefined)).toHaveLength(1);
      expect(first.metadata.annotations).toEqual({ "scenarios.levelset.dev/tick": "first run" });
      expect(first.metadata.finalizers).toEqual([HOLD, FINALIZER]);
      await stage.delete(Thing, "a");
      await stage.gone(Thing, "a");
      expect(calls.filter((call) => call === "A.cleanup")).toHaveLength(1);
    },
};
