import { kind, s } from "@levelset/core";
import { external, operator } from "@levelset/operator";
import type { ExternalState, Req } from "@levelset/operator";
import { FakeService } from "../fake-service.ts";
import type { Resource } from "../fake-service.ts";
import type { Program } from "../program.ts";
import { GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: crossplane/crossplane-runtime#221, crossplane-contrib/provider-aws#392. Bug: the id of the external resource is
 * stored only in the status. If that write fails, the next run creates another resource, and the first one is leaked.
 * Found by: clean (and once), needs a failed status write or a crash before it.
 */
const RouteTable = kind({
  group: GROUP,
  version: "v1",
  kind: "RouteTable",
  spec: s.object({ region: s.string() }),
  status: s.object({ id: s.string().optional() }),
});

type Lookup = (req: Req<typeof RouteTable, never>, service: FakeService) => Resource | undefined;

function stateOf(value: Resource | undefined): ExternalState<Resource> {
  return value === undefined ? { state: "absent" } : { state: "current", value };
}

function routeTables(lookup: Lookup): Program {
  const service = new FakeService();
  const table = () =>
    external(RouteTable, "Table", {
      preserveStatus: ["id"],
      observe: async (req) => stateOf(lookup(req, service)),
      apply: async ({ object }) => stateOf(await service.create(object.metadata.uid)),
      delete: async (req) => {
        const found = lookup(req, service);
        if (found !== undefined) await service.remove(found.id);
        return "deleted";
      },
      status: ({ status }, { id }) => {
        status.id = id;
      },
    });
  return { start: () => operator(RouteTable, [table()]), external: service };
}

const byId: Lookup = ({ object }, service) => service.get(object.status?.id ?? "");
const byKey: Lookup = ({ object }, service) => service.find(object.metadata.uid);

export const bug: SimulationBug = {
  name: "external-id-only-in-status",
  source: "https://github.com/crossplane/crossplane-runtime/issues/221",
  oracle: "clean",
  needs: "a failed status write after the external create",
  kind: RouteTable,
  create: (cluster) => cluster.create(RouteTable, { name: "a", spec: { region: "eu" } }),
  buggy: () => routeTables(byId),
  fixed: () => routeTables(byKey),
  expose: async (harness) => {
    harness.start();
    harness.cluster.faults.failNth(1, { kind: "status", reason: "InternalError" }, ({ path }) =>
      path.endsWith("/status"),
    );
    await bug.create(harness.cluster);
    await harness.settle();
    const created = harness.external.live().length;
    await harness.cluster.delete(RouteTable, "a");
    await harness.settle();
    return `${created} created, ${harness.external.live().length} left`;
  },
  ends: { buggy: "2 created, 1 left", fixed: "1 created, 0 left" },
};
