import { kind, s, Secret } from "@levelset/core";
import { external, ok, operator, reference, step, wait } from "@levelset/operator";
import type { MaybeAsyncResult, Req } from "@levelset/operator";
import { FakeService } from "../fake-service.ts";
import type { Program } from "../program.ts";
import { beside, GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: mongodb/mongodb-atlas-kubernetes#425, rabbitmq/messaging-topology-operator#277. Bug: the cleanup logs in with a
 * Secret of the user. If that is deleted first, as with the namespace, the finalizer stays. Found by: clean, needs an
 * input that is deleted before the object.
 */
const Project = kind({
  group: GROUP,
  version: "v1",
  kind: "Project",
  spec: s.object({ secretName: s.string().min(1) }),
});

function projects(options: { readonly cleanupNeedsSecret: boolean }): Program {
  const service = new FakeService();
  const login = (req: Req<typeof Project, never>): MaybeAsyncResult<undefined> =>
    req.get(Secret, beside(req, req.spec.secretName)) === undefined
      ? wait(`missing secret ${req.spec.secretName}`)
      : ok();
  const start = () => {
    const session = step(Project, "Session", {
      reads: [reference(Project, Secret, ({ spec }) => spec.secretName)],
      do: login,
    });
    const project = external(Project, "Project", {
      observe: async ({ object }) => {
        const value = service.find(object.metadata.uid);
        return value === undefined ? { state: "absent" } : { state: "current", value };
      },
      apply: async ({ object }) => ({ state: "current", value: await service.create(object.metadata.uid) }),
      delete: async (req) => {
        if (options.cleanupNeedsSecret) {
          const result = await login(req);
          if (result.kind !== "ok") return result;
        }
        const found = service.find(req.object.metadata.uid);
        if (found !== undefined) await service.remove(found.id);
        return "deleted";
      },
    });
    return operator(Project, [session, project]);
  };
  return { start, external: service };
}

export const bug: SimulationBug = {
  name: "cleanup-needs-secret",
  source: "https://github.com/mongodb/mongodb-atlas-kubernetes/issues/425",
  oracle: "clean",
  needs: "an input that is deleted before the object",
  kind: Project,
  create: async (cluster) => {
    await cluster.create(Secret, { name: "key", stringData: { token: "t" } });
    await cluster.create(Project, { name: "a", spec: { secretName: "key" } });
  },
  buggy: () => projects({ cleanupNeedsSecret: true }),
  fixed: () => projects({ cleanupNeedsSecret: false }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    await harness.cluster.delete(Secret, "key");
    await harness.cluster.delete(Project, "a");
    await harness.settle(3_600_000);
    return `objects: ${await harness.names(Project)}, projects: ${harness.external.live().length}`;
  },
  ends: { buggy: "objects: a, projects: 1", fixed: "objects: , projects: 0" },
};
