import { kind, s, StatefulSet } from "@levelset/core";
import { operator, workload } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: open-telemetry/opentelemetry-operator#1491, grafana/loki#8875. Bug: the spec lets users change a value that
 * becomes an immutable field of a StatefulSet, so that the server refuses every later update. Found by: converges, needs
 * a change of that value: an object that is created with it is ready.
 */
const Collector = kind({
  group: GROUP,
  version: "v1",
  kind: "Collector",
  spec: s.object({ subdomain: s.string().pattern("^[a-z]+$").max(20), replicas: s.int32().min(0).max(5).default(1) }),
});

function collectors(nameOf: (name: string, subdomain: string) => string): AnyOperator {
  const server = workload(Collector, "Server", {
    kind: StatefulSet,
    desired: ({ name, spec: { subdomain, replicas } }) => {
      const labels = { collector: nameOf(name, subdomain) };
      return {
        metadata: { name: nameOf(name, subdomain) },
        spec: {
          serviceName: subdomain,
          replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "collector:1" }] } },
        },
      };
    },
  });
  return operator(Collector, [server]);
}

export const bug: SimulationBug = {
  name: "immutable-field-refused",
  source: "https://github.com/open-telemetry/opentelemetry-operator/issues/1491",
  oracle: "converges",
  needs: "a change of the field that is immutable in the child",
  kind: Collector,
  create: (cluster) => cluster.create(Collector, { name: "a", spec: { subdomain: "old" } }),
  buggy: () => ({ start: () => collectors((name) => name) }),
  fixed: () => ({ start: () => collectors((name, subdomain) => `${name}-${subdomain}`) }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    await harness.cluster.patch(Collector, "a", { spec: { subdomain: "new" } });
    await harness.settle();
    const sets = await harness.cluster.list(StatefulSet);
    return `${sets.map(({ spec }) => spec?.serviceName).join(" ")}, ready: ${await harness.isReady(Collector)}`;
  },
  ends: { buggy: "old, ready: false", fixed: "new, ready: true" },
};
