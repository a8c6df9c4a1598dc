import { controllerReference, kind, s, Service } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import type { Req } from "@levelset/operator";
import type { AnyOperator } from "./program.ts";
import { beside, GROUP } from "./raw.ts";
import type { SimulationBug } from "./simulation-bug.ts";

/**
 * Source: nais/naiserator#129. Bug: one child is created per list item, and those of removed items are never deleted.
 * The way A, B, A leaves the child of B. Found by: converges, needs a list that changes and changes back.
 */
const Site = kind({
  group: GROUP,
  version: "v1",
  kind: "Site",
  spec: s.object({ routes: s.array(s.string().pattern("^[a-z]+$").max(20)).set().max(8) }),
});

async function createRoutes(req: Req<typeof Site>): Promise<void> {
  for (const route of req.spec.routes) {
    const key = beside(req, `${req.name}-${route}`);
    if (req.get(Service, key) !== undefined) continue;
    const ownerReferences = [controllerReference(req.object)];
    await req.client.create(Service, { metadata: { ...key, ownerReferences }, spec: { ports: [{ port: 80 }] } });
  }
}

async function deleteOthers(req: Req<typeof Site>): Promise<void> {
  const wanted = new Set(req.spec.routes.map((route) => `${req.name}-${route}`));
  for (const { metadata } of req.owned(Service)) {
    const { name, uid, deletionTimestamp } = metadata;
    if (!wanted.has(name) && deletionTimestamp === undefined) {
      await req.client.delete(Service, beside(req, name), { uid });
    }
  }
}

function sites(options: { readonly prunes: boolean }): AnyOperator {
  const routes = step(Site, "Routes", {
    owns: [Service],
    do: async (req) => {
      await createRoutes(req);
      if (options.prunes) await deleteOthers(req);
      return ok();
    },
  });
  return operator(Site, [routes]);
}

export const bug: SimulationBug = {
  name: "removed-route-stays",
  source: "https://github.com/nais/naiserator/issues/129",
  oracle: "converges",
  needs: "a list item that is replaced and restored (A, B, A)",
  kind: Site,
  create: (cluster) => cluster.create(Site, { name: "a", spec: { routes: ["shop"] } }),
  buggy: () => ({ start: () => sites({ prunes: false }) }),
  fixed: () => ({ start: () => sites({ prunes: true }) }),
  expose: async (scene) => {
    scene.start();
    await bug.create(scene.cluster);
    await scene.settle();
    for (const route of ["blog", "shop"]) {
      await scene.cluster.patch(Site, "a", { spec: { routes: [route] } });
      await scene.settle();
    }
    const services = await scene.cluster.list(Service, "default");
    return services
      .map(({ metadata }) => metadata.name)
      .filter((name) => name.startsWith("a-"))
      .join(" ");
  },
  ends: { buggy: "a-blog a-shop", fixed: "a-shop" },
};
