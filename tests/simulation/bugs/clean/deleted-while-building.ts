import { kind, s } from "@levelset/core";
import { ok, operator, requeueAfter, step } from "@levelset/operator";
import type { Req } from "@levelset/operator";
import { FakeService } from "../fake-service.ts";
import type { Program } from "../program.ts";
import { GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: outscale/cluster-api-provider-outscale#917. Bug: the cleanup knows the external resource by the id in the
 * status, which is written when the resource is ready. One that is still being built is leaked. Found by: clean, needs
 * the deletion of an object that is not ready.
 */
const Machine = kind({
  group: GROUP,
  version: "v1",
  kind: "Machine",
  spec: s.object({ size: s.int32().min(1).immutable() }),
  status: s.object({ id: s.string().optional() }),
});

const BUILD_MS = 30_000;

/** `idOf` returns the id of the resource that the cleanup removes. */
function machines(idOf: (req: Req<typeof Machine, never>, service: FakeService) => string | undefined): Program {
  const service = new FakeService();
  const machine = () =>
    step(Machine, "Machine", {
      preserveStatus: ["id"],
      do: async (req) => {
        const { uid } = req.object.metadata;
        const now = req.clock.now();
        const { size } = req.spec;
        const found = service.find(uid) ?? (await service.create(uid, { size, readyAt: now + BUILD_MS }));
        if (found.readyAt > now) return requeueAfter("the machine is being built", found.readyAt - now);
        req.status.id = found.id;
        return ok();
      },
      cleanup: async (req) => {
        const id = idOf(req, service);
        if (id !== undefined) await service.remove(id);
        return ok();
      },
    });
  return { start: () => operator(Machine, [machine()]), external: service };
}

export const bug: SimulationBug = {
  name: "deleted-while-building",
  source: "https://github.com/outscale/cluster-api-provider-outscale/issues/917",
  oracle: "clean",
  needs: "the deletion of an object that is not ready yet",
  kind: Machine,
  create: (cluster) => cluster.create(Machine, { name: "a", spec: { size: 1 } }),
  buggy: () => machines(({ object }) => object.status?.id),
  fixed: () => machines(({ object }, service) => service.find(object.metadata.uid)?.id),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle(1_000);
    await harness.cluster.delete(Machine, "a");
    await harness.settle();
    return `objects: ${await harness.names(Machine)}, machines: ${harness.external.live().length}`;
  },
  ends: { buggy: "objects: , machines: 1", fixed: "objects: , machines: 0" },
};
