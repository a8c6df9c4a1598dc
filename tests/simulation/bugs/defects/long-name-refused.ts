import { kind, s, Service } from "@levelset/core";
import { child, childName, operator } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: redpanda-data/redpanda#1011, amazeeio/dbaas-operator#37, jaegertracing/jaeger-operator#487. Bug: the name of a
 * Service and the value of a label are derived from the name of the object, which may be longer than 63 characters. The
 * server refuses the child. Found by: defects, needs a long name.
 */
const Cluster = kind({
  group: GROUP,
  version: "v1",
  kind: "PandaCluster",
  spec: s.object({ port: s.int32().min(1).max(65_535) }),
});

function clusters(derive: (name: string, suffix?: string) => string): AnyOperator {
  const service = child(Cluster, "Service", {
    kind: Service,
    desired: ({ name, spec }) => ({
      metadata: { name: derive(name, "svc"), labels: { cluster: derive(name) } },
      spec: { clusterIP: "None", selector: { cluster: derive(name) }, ports: [{ port: spec.port }] },
    }),
  });
  return operator(Cluster, [service]);
}

export const bug: SimulationBug = {
  name: "long-name-refused",
  source: "https://github.com/redpanda-data/redpanda/issues/1011",
  oracle: "defects",
  needs: "an object with a name of more than 59 characters",
  kind: Cluster,
  create: (cluster) => cluster.create(Cluster, { name: "a", spec: { port: 9092 } }),
  buggy: () => ({ start: () => clusters((name, suffix) => (suffix === undefined ? name : `${name}-${suffix}`)) }),
  fixed: () => ({ start: () => clusters(childName) }),
  expose: async (harness) => {
    harness.start();
    const name = `a${"b".repeat(69)}`;
    await harness.cluster.create(Cluster, { name, spec: { port: 9092 } });
    await harness.settle();
    return `ready: ${await harness.isReady(Cluster, name)}`;
  },
  ends: { buggy: "ready: false", fixed: "ready: true" },
};
