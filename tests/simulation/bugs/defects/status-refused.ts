import { ConfigMap, kind, s } from "@levelset/core";
import { child, operator } from "@levelset/operator";
import type { AnyOperator } from "../program.ts";
import { GROUP } from "../raw.ts";
import type { SimulationBug } from "../simulation-bug.ts";

/**
 * Source: kaasops/vector-operator#232, redhat-cop/namespace-configuration-operator#49. Bug: the status has a hash in a
 * 32-bit field, and the hash is unsigned. For half of all inputs the server refuses the status. Found by: defects, needs
 * such an input.
 */
const Pipeline = kind({
  group: GROUP,
  version: "v1",
  kind: "Pipeline",
  spec: s.object({ config: s.string() }),
  status: s.object({ hash: s.int32().optional() }),
});

/** FNV-1a with 32 bits. */
function hashOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01_00_01_93);
  return hash | 0;
}

function pipelines(hash: (text: string) => number): AnyOperator {
  const config = child(Pipeline, "Config", {
    kind: ConfigMap,
    desired: ({ name, spec }) => ({ metadata: { name }, data: { config: spec.config } }),
    status: (req) => {
      req.status.hash = hash(req.spec.config);
    },
  });
  return operator(Pipeline, [config]);
}

export const bug: SimulationBug = {
  name: "status-refused",
  source: "https://github.com/kaasops/vector-operator/issues/232",
  oracle: "defects",
  needs: "a value whose hash is above the range of the status field",
  kind: Pipeline,
  create: (cluster) => cluster.create(Pipeline, { name: "a", spec: { config: "sinks: []" } }),
  buggy: () => ({ start: () => pipelines((text) => hashOf(text) >>> 0) }),
  fixed: () => ({ start: () => pipelines(hashOf) }),
  expose: async (harness) => {
    harness.start();
    const configs = ["b", "c", "d", "e", "f"];
    const config = configs.find((text) => hashOf(text) < 0) ?? "";
    await harness.cluster.create(Pipeline, { name: "a", spec: { config } });
    await harness.settle();
    return `ready: ${await harness.isReady(Pipeline)}`;
  },
  ends: { buggy: "ready: false", fixed: "ready: true" },
};
