import { ConfigMap, kind, s } from "@levelset/core";
import type { ObjectOf } from "@levelset/core";
import { child, ok, operator, step } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: DataDog/datadog-operator#247, rook/rook#14688. Bug: the cleanup deletes all objects with the label of the
 * application, also those of other owners. Found by: clean, needs a foreign object with that label.
 */
const Monitor = kind({ group: GROUP, version: "v1", kind: "Monitor", spec: s.object({ site: s.string() }) });

/** `labelsOf` returns the labels by which the cleanup finds the children of an object. */
function monitors(labelsOf: (metadata: ObjectOf<typeof Monitor>["metadata"]) => Record<string, string>): AnyOperator {
  const config = child(Monitor, "Config", {
    kind: ConfigMap,
    desired: ({ name, object, spec }) => ({
      metadata: { name: `${name}-monitor`, labels: { app: name, ...labelsOf(object.metadata) } },
      data: { site: spec.site },
    }),
  });
  const release = step(Monitor, "Release", {
    rbac: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["deletecollection"] }],
    cleanup: async (req) => {
      const labels = Object.entries(labelsOf(req.object.metadata)).map(([label, value]) => `${label}=${value}`);
      await req.client.deleteCollection(ConfigMap, { namespace: req.namespace ?? "", labels: labels.join(",") });
      return ok();
    },
  });
  return operator(Monitor, [config, release]);
}

const buggy = (): AnyOperator => monitors(({ name }) => ({ app: name }));
const fixed = (): AnyOperator => monitors(({ uid }) => ({ "bugs.levelset.dev/owner-uid": uid }));

export const bug: SimulationBug = {
  name: "cleanup-by-label",
  source: "https://github.com/DataDog/datadog-operator/pull/247",
  oracle: "clean",
  needs: "a foreign object with the same label",
  kind: Monitor,
  create: (cluster) => cluster.create(Monitor, { name: "a", spec: { site: "eu" } }),
  buggy: () => ({ start: buggy }),
  fixed: () => ({ start: fixed }),
  expose: async (harness) => {
    harness.start();
    await harness.cluster.create(ConfigMap, { name: "theirs", labels: { app: "a" } });
    await bug.create(harness.cluster);
    await harness.settle();
    await harness.cluster.delete(Monitor, "a");
    await harness.settle();
    return `config maps: ${await harness.names(ConfigMap, "default")}`;
  },
  ends: { buggy: "config maps: ", fixed: "config maps: theirs" },
};
