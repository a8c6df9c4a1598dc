import { ConfigMap, controllerReference, kind, s } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import type { Req } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: reddit/achilles-sdk#75. Bug: a failed write is logged and not reported, so that the object is ready although
 * its child is missing. Found by: truth, needs a write that the server rejects.
 */
const Dashboard = kind({ group: GROUP, version: "v1", kind: "Dashboard", spec: s.object({ json: s.string() }) });

async function apply(req: Req<typeof Dashboard>): Promise<void> {
  const ownerReferences = [controllerReference(req.object)];
  const metadata = { ...beside(req, req.name), ownerReferences };
  await req.client.apply(ConfigMap, { metadata, data: { json: req.spec.json } }, { force: true });
}

function dashboards(write: (req: Req<typeof Dashboard>) => Promise<void>): AnyOperator {
  const config = step(Dashboard, "Config", {
    owns: [ConfigMap],
    do: async (req) => {
      if (req.get(ConfigMap, beside(req, req.name))?.data?.["json"] !== req.spec.json) await write(req);
      return ok();
    },
  });
  return operator(Dashboard, [config]);
}

async function applyOrLog(req: Req<typeof Dashboard>): Promise<void> {
  try {
    await apply(req);
  } catch (error) {
    req.logger.warn("apply failed", { err: error });
  }
}

export const bug: SimulationBug = {
  name: "failed-write-ready",
  source: "https://github.com/reddit/achilles-sdk/issues/75",
  oracle: "truth",
  needs: "a write of a child that fails",
  kind: Dashboard,
  create: (cluster) => cluster.create(Dashboard, { name: "a", spec: { json: "{}" } }),
  buggy: () => ({ start: () => dashboards(applyOrLog) }),
  fixed: () => ({ start: () => dashboards(apply) }),
  expose: async (harness) => {
    harness.start();
    harness.cluster.faults.failNth(
      1,
      { kind: "status", reason: "InternalError" },
      ({ method, path }) => method === "PATCH" && path.includes("/configmaps/"),
    );
    await bug.create(harness.cluster);
    await harness.settle();
    return `config maps: ${await harness.names(ConfigMap, "default")}, ready: ${await harness.isReady(Dashboard)}`;
  },
  accepts: ["foreign-touched"],
  ends: { buggy: "config maps: , ready: true", fixed: "config maps: a, ready: true" },
};
