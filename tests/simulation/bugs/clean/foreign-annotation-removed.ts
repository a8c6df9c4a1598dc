import { ConfigMap, controllerReference, kind, s } from "@levelset/core";
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
  const config = step(Scrape, "Config", {
    owns: [ConfigMap],
    do: async (req) => {
      const key = beside(req, req.name);
      const annotations = { path: req.spec.path };
      const data = { port: `${req.spec.port}` };
      const current = req.get(ConfigMap, key);
      if (current === undefined) {
        const metadata = { ...key, annotations, ownerReferences: [controllerReference(req.object)] };
        await req.client.create(ConfigMap, { metadata, data });
        return ok();
      }
      const isEqual = JSON.stringify(current.metadata.annotations) === JSON.stringify(annotations);
      if (isEqual && current.data?.["port"] === data.port) return ok();
      await req.client.update(ConfigMap, { ...current, metadata: { ...current.metadata, annotations }, data });
      return ok();
    },
  });
  return operator(Scrape, [config]);
}

function fixed(): AnyOperator {
  const config = child(Scrape, "Config", {
    kind: ConfigMap,
    desired: ({ name, spec }) => ({
      metadata: { name, annotations: { path: spec.path } },
      data: { port: `${spec.port}` },
    }),
  });
  return operator(Scrape, [config]);
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
    await harness.cluster.patch(ConfigMap, "a", { metadata: { annotations: { theirs: "1" } } });
    await harness.settle();
    const { annotations = {} } = (await harness.cluster.get(ConfigMap, "a"))?.metadata ?? {};
    return `foreign annotation: ${annotations["theirs"] ?? "lost"}`;
  },
  ends: { buggy: "foreign annotation: lost", fixed: "foreign annotation: 1" },
};
