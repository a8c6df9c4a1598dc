import { ConfigMap, Deployment, kind, s } from "@levelset/core";
import { ok, operator, referenceByLabels, step, workload } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: stacklok/toolhive#5063, strimzi/strimzi-kafka-operator#6705. Bug: a list in the pod template has the order in
 * which the cache returns its inputs, which is another one after a restart. The restart rolls all pods. Found by: quiet,
 * needs inputs that were not created in the order of their names, and a restart.
 */
const Cruise = kind({ group: GROUP, version: "v1", kind: "Cruise", spec: s.object({ group: s.string().min(1) }) });

const LABEL = "bugs.levelset.dev/group";

function cruises(inOrder: (names: readonly string[]) => readonly string[]): AnyOperator {
  const inputs = step(Cruise, "Inputs", {
    reads: [referenceByLabels(Cruise, ConfigMap, ({ spec }) => ({ [LABEL]: spec.group }))],
    do: (req) => ok(inOrder(req.select(ConfigMap, { [LABEL]: req.spec.group }).map(({ metadata }) => metadata.name))),
  });
  const pods = workload(Cruise, "Pods", {
    uses: [inputs],
    kind: Deployment,
    desired: (req) => {
      const labels = { cruise: req.name };
      const envFrom = req.from(inputs).map((name) => ({ configMapRef: { name } }));
      const containers = [{ name: "main", image: "cruise:1", envFrom }];
      return {
        metadata: { name: req.name },
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
      };
    },
  });
  return operator(Cruise, [inputs, pods]);
}

export const bug: SimulationBug = {
  name: "order-of-inputs",
  source: "https://github.com/stacklok/toolhive/issues/5063",
  oracle: "quiet",
  needs: "inputs that appear in another order than that of their names, and a restart",
  kind: Cruise,
  create: async (cluster) => {
    for (const name of ["x", "y"]) await cluster.create(ConfigMap, { name, labels: { [LABEL]: "g" } });
    await cluster.create(Cruise, { name: "a", spec: { group: "g" } });
  },
  buggy: () => ({ start: () => cruises((names) => names) }),
  fixed: () => ({ start: () => cruises((names) => names.toSorted()) }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    await harness.cluster.create(ConfigMap, { name: "b", labels: { [LABEL]: "g" } });
    await harness.settle();
    const before = (await harness.cluster.get(Deployment, "a"))?.metadata.generation;
    await harness.restart();
    await harness.settle();
    const after = (await harness.cluster.get(Deployment, "a"))?.metadata.generation;
    return before === after ? "the restart changes nothing" : "the restart rolls all pods";
  },
  ends: { buggy: "the restart rolls all pods", fixed: "the restart changes nothing" },
};
