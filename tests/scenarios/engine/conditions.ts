import { findCondition } from "@levelset/core";
import type { Condition, ConditionStatus, ObjectOf, Severity } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import { expect } from "vitest";
import type { Scenarios } from "../../support/cluster/scenario.ts";
import type { Cluster } from "../../support/cluster/cluster.ts";
import { Thing } from "./thing.ts";

const TYPES = ["First", "Second", "Third", "Fourth"];

/** Sets the conditions to the values of the spec: `Error,True,Unknown,…`. `False` has no severity. */
const set = step(Thing, "Set", {
  conditions: TYPES,
  do: (req) => {
    for (const [index, word] of req.spec.mode.split(",").entries()) {
      const type = TYPES[index] ?? "";
      req.condition({ type, ...said(word), reason: word, message: `${type} is ${word}` });
    }
    return ok();
  },
});

function said(word: string): { readonly status: ConditionStatus; readonly severity?: Severity } {
  if (word === "True" || word === "Unknown" || word === "False") return { status: word };
  if (word === "Info" || word === "Warning" || word === "Error") return { status: "False", severity: word };
  throw new Error(`${word} is neither a status nor a severity`);
}

async function readyAfter(cluster: Cluster, mode: string): Promise<Condition | undefined> {
  const { metadata } = await cluster.patch(Thing, "a", { spec: { mode } });
  const isCurrent = ({ status }: ObjectOf<Thing>): boolean => status?.observedGeneration === metadata.generation;
  const { status } = await cluster.until(Thing, "a", isCurrent);
  return findCondition(status?.conditions, "Ready");
}

/** Scenarios about Ready and the conditions that it summarizes. */
export const CONDITIONS: Scenarios = {
  "severity order: Ready mirrors Error, then Warning, Info, Unknown; of two Errors the first declared": async (
    cluster,
  ) => {
    await cluster.run(operator(Thing, [set]));
    await cluster.create(Thing, { metadata: { name: "a" }, spec: { mode: "True,True,True,True" } });
    const mirrored = { Error: "Third", Warning: "Second", Info: "First", Unknown: "Fourth" };
    const words = ["Info", "Warning", "Error", "Unknown"];
    for (const [worst, type] of Object.entries(mirrored)) {
      const found = await readyAfter(cluster, words.join(","));
      expect(found).toMatchObject({ ...said(worst), reason: worst, message: `${type} is ${worst}` });
      words[words.indexOf(worst)] = "True";
    }
    expect(await readyAfter(cluster, words.join(","))).toMatchObject({ status: "True", reason: "Ready" });
    expect(await readyAfter(cluster, "True,Error,True,Error")).toMatchObject({ message: "Second is Error" });
  },

  "False without severity counts as an Error": async (cluster) => {
    await cluster.run(operator(Thing, [set]));
    await cluster.create(Thing, { metadata: { name: "a" }, spec: { mode: "True,True,True,True" } });
    const found = await readyAfter(cluster, "Warning,True,False,Info");
    expect(found).toMatchObject({ status: "False", message: "Third is False" });
  },
};
