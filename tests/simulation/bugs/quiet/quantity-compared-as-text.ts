import { Deployment, kind, s } from "@levelset/core";
import { ok, operator, step, workload } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: strimzi/strimzi-kafka-operator#648, Altinity/clickhouse-operator#1904. Bug: quantities are compared as text. A
 * value that the server stores in another form differs in every run, and every run writes the child. Found by: quiet,
 * needs such a value (1000m, 2048Mi).
 */
const Kafka = kind({
  group: GROUP,
  version: "v1",
  kind: "Kafka",
  spec: s.object({ cpu: s.string().pattern("^[1-9][0-9]*m?$") }),
});

function pods(resourcesOf: (cpu: string) => { readonly limits: { readonly cpu: string } } | undefined) {
  return workload(Kafka, "Pods", {
    kind: Deployment,
    desired: ({ name, spec }) => {
      const labels = { kafka: name };
      const resources = resourcesOf(spec.cpu);
      const containers = [{ name: "main", image: "kafka:1", ...(resources === undefined ? {} : { resources }) }];
      return {
        metadata: { name },
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
      };
    },
  });
}

function buggy(): AnyOperator {
  const limits = step(Kafka, "Limits", {
    owns: [Deployment],
    do: async (req) => {
      const key = beside(req, req.name);
      const { cpu } = req.spec;
      const [container] = req.get(Deployment, key)?.spec?.template.spec?.containers ?? [];
      if (container !== undefined && container.resources?.limits?.["cpu"] !== cpu) {
        const containers = [{ name: "main", resources: { limits: { cpu } } }];
        await req.client.strategicPatch(Deployment, key, { spec: { template: { spec: { containers } } } });
      }
      req.requeueAfter(120_000);
      return ok();
    },
  });
  return operator(Kafka, [limits, pods(() => undefined)]);
}

const fixed = (): AnyOperator => operator(Kafka, [pods((cpu) => ({ limits: { cpu } }))]);

export const bug: SimulationBug = {
  name: "quantity-compared-as-text",
  source: "https://github.com/strimzi/strimzi-kafka-operator/issues/648",
  oracle: "quiet",
  needs: "a quantity that the server stores in another form",
  kind: Kafka,
  create: (cluster) => cluster.create(Kafka, { name: "a", spec: { cpu: "500m" } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: fixed }),
  expose: async (harness) => {
    harness.start();
    await harness.cluster.create(Kafka, { name: "a", spec: { cpu: "1000m" } });
    await harness.settle();
    const before = harness.writes;
    await harness.settle(3_600_000);
    return harness.writes > before ? "writes at rest" : "at rest";
  },
  ends: { buggy: "writes at rest", fixed: "at rest" },
};
