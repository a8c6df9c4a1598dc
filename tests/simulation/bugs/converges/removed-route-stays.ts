import { ConfigMap, controllerReference, kind, s } from "@levelset/core";
import { child, ok, operator, step } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: nais/naiserator#129. Bug: one child is created per list item, and those of removed items are never deleted.
 * The way A, B, A leaves the child of B. Found by: converges, needs a list that changes and changes back.
 */
const Site = kind({
  group: GROUP,
  version: "v1",
  kind: "Site",
  spec: s.object({ routes: s.array(s.enum("shop", "blog", "docs")).set() }),
});

const data = { port: "80" };

function buggy(): AnyOperator {
  const routes = step(Site, "Routes", {
    owns: [ConfigMap],
    do: async (req) => {
      for (const route of req.spec.routes) {
        const metadata = { ...beside(req, `${req.name}-${route}`), ownerReferences: [controllerReference(req.object)] };
        await req.client.apply(ConfigMap, { metadata, data }, { force: true });
      }
      return ok();
    },
  });
  return operator(Site, [routes]);
}

function fixed(): AnyOperator {
  const routes = (["shop", "blog", "docs"] as const).map((route) =>
    child(Site, `Route${route}`, {
      kind: ConfigMap,
      desired: (req) =>
        req.spec.routes.includes(route) ? { metadata: { name: `${req.name}-${route}` }, data } : undefined,
    }),
  );
  return operator(Site, routes);
}

export const bug: SimulationBug = {
  name: "removed-route-stays",
  source: "https://github.com/nais/naiserator/issues/129",
  oracle: "converges",
  needs: "a list item that is replaced and restored (A, B, A)",
  kind: Site,
  create: (cluster) => cluster.create(Site, { name: "a", spec: { routes: ["shop"] } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: fixed }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    for (const route of ["blog", "shop"]) {
      await harness.cluster.patch(Site, "a", { spec: { routes: [route] } });
      await harness.settle();
    }
    return harness.names(ConfigMap, "default");
  },
  ends: { buggy: "a-blog a-shop", fixed: "a-shop" },
};
