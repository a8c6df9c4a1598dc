import { ConfigMap, kind, s } from "@levelset/core";
import { child, ok, operator, step } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: rabbitmq/cluster-operator#968 (Acto). Bug: the annotations of the spec are merged into those of the child,
 * so that one which is removed from the spec stays. Found by: converges, needs a removed key.
 */
const Broker = kind({
  group: GROUP,
  version: "v1",
  kind: "Broker",
  spec: s.object({ annotations: s.map(s.string()).default({}) }),
});

const data = { port: "5672" };

function buggy(): AnyOperator {
  const config = child(Broker, "Config", { kind: ConfigMap, desired: ({ name }) => ({ metadata: { name }, data }) });
  const annotate = step(Broker, "Annotate", {
    owns: [ConfigMap],
    do: async (req) => {
      const key = beside(req, req.name);
      const { annotations } = req.spec;
      const current = req.get(ConfigMap, key)?.metadata.annotations ?? {};
      if (Object.entries(annotations).some(([name, text]) => current[name] !== text)) {
        await req.client.mergePatch(ConfigMap, key, { metadata: { annotations } });
      }
      return ok();
    },
  });
  return operator(Broker, [config, annotate]);
}

function fixed(): AnyOperator {
  const config = child(Broker, "Config", {
    kind: ConfigMap,
    desired: (req) => ({ metadata: { name: req.name, annotations: req.spec.annotations }, data }),
  });
  return operator(Broker, [config]);
}

export const bug: SimulationBug = {
  name: "removed-annotation-stays",
  source: "https://github.com/rabbitmq/cluster-operator/issues/968",
  oracle: "converges",
  // The schema has no rule for the names of annotations.
  accepts: ["child-refused"],
  needs: "a key of a map that is removed from the spec",
  kind: Broker,
  create: (cluster) => cluster.create(Broker, { name: "a", spec: { annotations: { first: "1" } } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: fixed }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    await harness.cluster.patch(Broker, "a", { spec: { annotations: { first: null, second: "2" } } });
    await harness.settle();
    const { annotations = {} } = (await harness.cluster.get(ConfigMap, "a"))?.metadata ?? {};
    return Object.keys(annotations)
      .filter((name) => !name.includes("/"))
      .toSorted()
      .join(" ");
  },
  ends: { buggy: "first second", fixed: "second" },
};
