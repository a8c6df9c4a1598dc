import { Binding, StatusError } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import { bindingResource } from "../../kinds/index.ts";
import { decodeObject } from "../decode.ts";
import type { UnvalidatedObject } from "../../resource/index.ts";
import { badRequestError, conflictError, checkDeletePreconditions, asArray, asRecord } from "../../resource/index.ts";
import type { Registry } from "../registry.ts";
import type { WriteOptions } from "../write-options.ts";
import type { ResourceObjectRef } from "../resource-object-ref.ts";
import { withPodCondition } from "./pod-condition.ts";

/** Resource in conflict errors of bindings. */
const SUBJECT = { group: "", plural: "pods/binding" };

/**
 * Binds a pod to a node. `name` is the pod name of the path; undefined if it is only in the body. Throws Conflict if
 * the pod is already bound.
 */
export async function bindPod(
  registry: Registry,
  place: { readonly namespace: string; readonly name: string | undefined },
  body: JsonValue,
  options: WriteOptions & { readonly now: string },
): Promise<void> {
  const { object } = decodeObject(bindingResource, body, options.fieldValidation);
  const { name: named = "" } = object.metadata;
  const name = place.name ?? named;
  if (name !== named) throw badRequestError("name in URL does not match name in Binding object");
  const node = nodeOf(object);
  const pods = registry.catalog.find("", "v1", "pods");
  if (pods === undefined) throw new TypeError(`${Binding.kind} needs pods`);
  const target: ResourceObjectRef = { resource: pods, namespace: place.namespace, name };
  const bind = (pod: ApiObject): ApiObject => bound(pod, object, node, options.now);
  if (options.dryRun) bind(registry.get(target).object);
  else await registry.privilegedUpdate(target, bind);
}

function nodeOf(draft: UnvalidatedObject): string {
  const { kind = "", name = "" } = asRecord(draft["target"]);
  const problems: string[] = [];
  if (kind !== "" && kind !== "Node") {
    problems.push(`target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`);
  }
  if (name === "") problems.push("target.name: Required value");
  const message = problems.length > 1 ? `[${problems.join(", ")}]` : problems.join("");
  // A plain error instead of Invalid (pkg/registry/core/pod/storage/storage.go, Kubernetes 1.36).
  if (problems.length > 0) throw new StatusError("Unknown", message);
  return String(name);
}

function bound(pod: ApiObject, draft: UnvalidatedObject, node: string, now: string): ApiObject {
  const { name } = pod.metadata;
  const { uid = "", resourceVersion = "" } = draft.metadata;
  checkDeletePreconditions({ group: "", plural: "pods" }, pod, {
    ...(uid === "" ? {} : { uid }),
    ...(resourceVersion === "" ? {} : { resourceVersion }),
  });
  const spec = asRecord(pod["spec"]);
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw conflictError(SUBJECT, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if ((spec["nodeName"] ?? "") !== "") {
    throw conflictError(SUBJECT, name, `pod ${name} is already assigned to node ${JSON.stringify(spec["nodeName"])}`);
  }
  if (asArray(spec["schedulingGates"]).length > 0) {
    throw conflictError(SUBJECT, name, `pod ${name} has non-empty .spec.schedulingGates`);
  }
  const { labels, annotations } = draft.metadata;
  const metadata = {
    ...pod.metadata,
    ...(labels === undefined ? {} : { labels: { ...pod.metadata.labels, ...labels } }),
    ...(annotations === undefined ? {} : { annotations: { ...pod.metadata.annotations, ...annotations } }),
  };
  const { nominatedNodeName: _none, ...status } = asRecord(pod["status"]);
  const scheduled = { type: "PodScheduled", status: "True" } as const;
  return { ...pod, metadata, spec: { ...spec, nodeName: node }, status: withPodCondition(status, scheduled, now) };
}
