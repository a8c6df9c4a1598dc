import { ConfigMap, hashJson, kind, s } from "@levelset/core";
import { child, operator } from "@levelset/operator";

export const Vault = kind({
  group: "examples.levelset.dev",
  version: "v1",
  kind: "Vault",
  spec: s.object({ value: s.string() }),
  status: s.object({ applied: s.string().optional() }),
});

const config = child(Vault, "Config", {
  kind: ConfigMap,
  desired: ({ name, spec }) => ({ metadata: { name }, data: { value: spec.value } }),
  status: ({ spec, status }) => {
    status.applied = hashJson(spec);
  },
});

export default operator(Vault, [config]);
