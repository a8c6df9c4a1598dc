import { controllerReference, kind, s, Service } from "@levelset/core";
import { child, ok, operator, step } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: prometheus-operator/prometheus-operator#2018, grafana/grafana-operator#127. Bug: all annotations of the child
 * are compared and replaced, also those of other controllers, which add them again. Found by: clean, needs an annotation
 * that another client adds to the child.
 */
const Scrape = kind({
  group: GROUP,
  version: "v1",
  kind: "Scrape",
  spec: s.object({ path: s.string(), port: s.int32().min(1).max(65_535).default(80) }),
});

function buggy(): AnyOperator {
  const service = step(Scrape, "Service", {
    owns: [Service],
    do: async (req) => {
      const key = beside(req, req.name);
      const annotations = { path: req.spec.path };
      const ports = [{ port: req.spec.port }];
      const current = req.get(Service, key);
      if (current === undefined) {
        const metadata = { ...key, annotations, ownerReferences: [controllerReference(req.object)] };
        await req.client.create(Service, { metadata, spec: { clusterIP: "None", ports } });
        return ok();
      }
      const isEqual = JSON.stringify(current.metadata.annotations) === JSON.stringify(annotations);
      if (isEqual && current.spec?.ports?.[0]?.port === req.spec.port) return ok();
      const spec = { ...current.spec, ports };
      await req.client.update(Service, { ...current, metadata: { ...current.metadata, annotations }, spec });
      return ok();
    },
  });
  return operator(Scrape, [service]);
}

function fixed(): AnyOperator {
  const service = child(Scrape, "Service", {
    kind: Service,
    desired: ({ name, spec }) => ({
      metadata: { name, annotations: { path: spec.path } },
      spec: { clusterIP: "None", ports: [{ port: spec.port }] },
    }),
  });
  return operator(Scrape, [service]);
}

export const bug: SimulationBug = {
  name: "foreign-annotation-removed",
  source: "https://github.com/prometheus-operator/prometheus-operator/issues/2018",
  oracle: "clean",
  needs: "an annotation that another client adds to the child",
  kind: Scrape,
  create: (cluster) => cluster.create(Scrape, { name: "a", spec: { path: "/metrics" } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: fixed }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    await harness.cluster.patch(Service, "a", { metadata: { annotations: { theirs: "1" } } });
    await harness.settle();
    const { annotations = {} } = (await harness.cluster.get(Service, "a"))?.metadata ?? {};
    return `foreign annotation: ${annotations["theirs"] ?? "lost"}`;
  },
  ends: { buggy: "foreign annotation: lost", fixed: "foreign annotation: 1" },
};
