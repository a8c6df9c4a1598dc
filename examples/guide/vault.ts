import { ConfigMap, controllerReference, hashJson, kind, s } from "@levelset/core";
import { ok, operator, step } from "@levelset/operator";

export const Vault = kind({
  group: "examples.levelset.dev",
  version: "v1",
  kind: "Vault",
  spec: s.object({ value: s.string() }),
  status: s.object({ applied: s.string().optional() }),
});

const config = step(Vault, "Config", {
  owns: [ConfigMap],
  preserveStatus: ["applied"],
  do: async ({ object, name, spec, status, client }) => {
    const hash = hashJson(spec);
    if (status.applied === hash) return ok(); // nothing has changed, so there is nothing to do
    const { namespace = "default" } = object.metadata;
    const metadata = { namespace, name, ownerReferences: [controllerReference(object)] };
    await client.apply(ConfigMap, { metadata, data: { value: spec.value } }, { force: true });
    status.applied = hash;
    return ok();
  },
});

export default operator(Vault, [config]);
