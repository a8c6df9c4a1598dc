import { ConfigMap, controllerReference, kind, s } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";
import type { Req, Step } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { beside, GROUP, isGone } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: stackabletech/operator-rs#861 (two writers in a tug of war). Bug: a step for the optional setting and one for
 * the defaults write the same key of a ConfigMap, with different values if the setting is not the default. Found by:
 * quiet, needs a spec in which both differ.
 */
const Listener = kind({
  group: GROUP,
  version: "v1",
  kind: "Listener",
  spec: s.object({ level: s.enum("info", "debug").default("info"), port: s.int32().min(1).default(80) }),
});

async function set(req: Req<typeof Listener, never>, data: Readonly<Record<string, string>>): Promise<void> {
  const key = beside(req, req.name);
  const current = req.get(ConfigMap, key);
  if (current === undefined) {
    if (await isGone(req)) return;
    const ownerReferences = [controllerReference(req.object)];
    await req.client.create(ConfigMap, { metadata: { ...key, ownerReferences }, data });
  } else if (Object.entries(data).some(([name, text]) => current.data?.[name] !== text)) {
    await req.client.mergePatch(ConfigMap, key, { data });
  }
}

function listeners(defaults: Readonly<Record<string, string>>): AnyOperator {
  const writing = (
    name: string,
    data: (req: Req<typeof Listener, never>) => Record<string, string>,
  ): Step<typeof Listener> =>
    step(Listener, name, {
      owns: [ConfigMap],
      do: async (req) => {
        await set(req, data(req));
        return ok();
      },
    });
  const base = writing("Defaults", (req) => ({ ...defaults, port: `${req.spec.port}` }));
  const logging = writing("Logging", (req) => ({ level: req.spec.level }));
  return operator(Listener, [base, logging]);
}

export const bug: SimulationBug = {
  name: "steps-undo-each-other",
  source: "https://github.com/stackabletech/operator-rs/issues/861",
  oracle: "quiet",
  // It writes the ConfigMap of its name, also that of another client.
  accepts: ["foreign-touched"],
  needs: "a value other than the default",
  kind: Listener,
  create: (cluster) => cluster.create(Listener, { name: "a", spec: {} }),
  buggy: () => ({ start: () => listeners({ level: "info" }) }),
  fixed: () => ({ start: () => listeners({}) }),
  expose: async (harness) => {
    harness.start();
    await harness.cluster.create(Listener, { name: "a", spec: { level: "debug" } });
    await harness.settle();
    const before = harness.writes;
    await harness.restart();
    await harness.settle();
    return `${harness.writes > before ? "writes" : "no writes"} after a restart`;
  },
  ends: { buggy: "writes after a restart", fixed: "no writes after a restart" },
};
