import { kind, s } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import { FakeService } from "../fake-service.ts";
import type { Program } from "../program.ts";
import { GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: jenkinsci/kubernetes-operator#273, coreos/etcd-operator#4. Bug: the process remembers which objects it has
 * already handled. The next process, or the next leader, handles all of them again. Found by: once, needs a restart.
 */
const Release = kind({
  group: GROUP,
  version: "v1",
  kind: "Release",
  spec: s.object({ version: s.string() }),
  status: s.object({ announced: s.string().optional() }),
});

function releases(options: { readonly memory: "process" | "status" }): Program {
  const service = new FakeService();
  const start = () => {
    const announced = new Map<string, string>();
    const announce = step(Release, "Announce", {
      preserveStatus: ["announced"],
      do: async (req) => {
        const { uid } = req.object.metadata;
        const { version } = req.spec;
        const last = options.memory === "process" ? announced.get(uid) : req.status.announced;
        const action = `announce ${uid} ${version}`;
        if (last !== version) {
          await (options.memory === "process" ? service.perform(action) : service.performOnce(action));
        }
        announced.set(uid, version);
        req.status.announced = version;
        return ok();
      },
    });
    return operator(Release, [announce]);
  };
  return { start, external: service };
}

export const bug: SimulationBug = {
  name: "restart-repeats-announcement",
  source: "https://github.com/jenkinsci/kubernetes-operator/issues/273",
  oracle: "once",
  needs: "a restart or a leader change",
  kind: Release,
  create: (cluster) => cluster.create(Release, { name: "a", spec: { version: "1.0" } }),
  buggy: () => releases({ memory: "process" }),
  fixed: () => releases({ memory: "status" }),
  expose: async (harness) => {
    harness.start();
    await bug.create(harness.cluster);
    await harness.settle();
    await harness.restart();
    await harness.settle();
    return `announced ${harness.external.calls().length} times`;
  },
  ends: { buggy: "announced 2 times", fixed: "announced 1 times" },
};
