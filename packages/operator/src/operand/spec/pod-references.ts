import { isJsonObject } from "@levelset/core";
import type { EmbeddedObject, JsonValue } from "@levelset/core";
import { liveRefId } from "./live-ref.ts";

type Fields = Readonly<Record<string, JsonValue | undefined>>;

/** Fields of a pod spec that refer to an object, with the field that has its name. */
const REFERENCES: Readonly<Record<string, readonly [kind: string, ...names: readonly string[]]>> = {
  configMap: ["ConfigMap", "name"],
  configMapRef: ["ConfigMap", "name"],
  configMapKeyRef: ["ConfigMap", "name"],
  secret: ["Secret", "secretName", "name"],
  secretRef: ["Secret", "name"],
  secretKeyRef: ["Secret", "name"],
  persistentVolumeClaim: ["PersistentVolumeClaim", "claimName"],
};

/** Returns the pod spec of a Pod or of a workload with a pod template; empty if the object has none. */
export function podSpecOf({ kind, spec }: EmbeddedObject): Fields {
  const fields = isJsonObject(spec) ? spec : {};
  if (kind === "Pod") return fields;
  const template = isJsonObject(fields["template"]) ? fields["template"] : {};
  return isJsonObject(template["spec"]) ? template["spec"] : {};
}

/**
 * Returns the objects without which the pods of a workload do not start, as `liveRefId`: ConfigMaps, Secrets, claims,
 * the service account and the priority class. Optional ones are left out.
 */
export function podReferences(object: EmbeddedObject): ReadonlySet<string> {
  const { namespace } = object.metadata;
  const home = typeof namespace === "string" ? { namespace } : {};
  const found = new Set<string>();
  const { serviceAccountName, priorityClassName, ...rest } = podSpecOf(object);
  if (typeof serviceAccountName === "string") {
    found.add(liveRefId({ group: "", kind: "ServiceAccount", ...home, name: serviceAccountName }));
  }
  if (typeof priorityClassName === "string") {
    found.add(liveRefId({ group: "scheduling.k8s.io", kind: "PriorityClass", name: priorityClassName }));
  }
  const visit = (value: JsonValue | undefined): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isJsonObject(value)) return;
    for (const [field, child] of Object.entries(value)) {
      const [kind, ...names] = REFERENCES[field] ?? [];
      if (kind !== undefined && isJsonObject(child) && child["optional"] !== true) {
        const name = names.map((key) => child[key]).find((one) => typeof one === "string");
        if (name !== undefined) found.add(liveRefId({ group: "", kind, ...home, name }));
      }
      visit(child);
    }
  };
  for (const value of Object.values(rest)) visit(value);
  return found;
}
