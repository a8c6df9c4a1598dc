import { ConfigMap, controllerReference, kind, s } from "@levelset/core";
import type { RequestFilter } from "@levelset/core/testing";
import { child, ok, operator, step } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: argoproj/argo-rollouts#243, cryostatio/cryostat-operator#163, k0sproject/k0smotron#1535. Bug: the child has a
 * generated name and is created if the cache has none. The name does not stop a second create: one that is delivered
 * twice, or that of a process with stale lists. Found by: once, needs a create that is delivered twice.
 */
const Analysis = kind({ group: GROUP, version: "v1", kind: "Analysis", spec: s.object({ query: s.string() }) });

function buggy(): AnyOperator {
  const run = step(Analysis, "Run", {
    owns: [ConfigMap],
    do: async (req) => {
      const data = { query: req.spec.query };
      const [current] = req.owned(ConfigMap);
      if (current === undefined) {
        const ownerReferences = [controllerReference(req.object)];
        const metadata = { namespace: req.namespace ?? "", generateName: `${req.name}-`, ownerReferences };
        await req.client.create(ConfigMap, { metadata, data });
      } else if (current.data?.["query"] !== data.query) {
        await req.client.mergePatch(ConfigMap, beside(req, current.metadata.name), { data });
      }
      return ok();
    },
  });
  return operator(Analysis, [run]);
}

function fixed(): AnyOperator {
  const run = child(Analysis, "Run", {
    kind: ConfigMap,
    desired: ({ name, spec }) => ({ metadata: { name: `${name}-run` }, data: { query: spec.query } }),
  });
  return operator(Analysis, [run]);
}

export const bug: SimulationBug = {
  name: "generated-name-duplicated",
  source: "https://github.com/argoproj/argo-rollouts/issues/243",
  oracle: "once",
  needs: "a create that is delivered twice, or a restart with a stale API server",
  kind: Analysis,
  create: (cluster) => cluster.create(Analysis, { name: "a", spec: { query: "up" } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: fixed }),
  expose: async (harness) => {
    harness.start();
    const isCreate: RequestFilter = ({ method, path }) => method !== "GET" && path.includes("/configmaps");
    harness.cluster.faults.failNth(1, { kind: "duplicate" }, isCreate);
    await bug.create(harness.cluster);
    await harness.settle();
    return `${(await harness.cluster.list(ConfigMap, "default")).length} children`;
  },
  ends: { buggy: "2 children", fixed: "1 children" },
};
