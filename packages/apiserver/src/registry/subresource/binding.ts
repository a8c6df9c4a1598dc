import { Binding, StatusError } from "@levelset/core";
import type { JsonValue } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import { BINDINGS } from "../virtuals.ts";
import { decodeObject } from "../decode.ts";
import type { Draft } from "../draft.ts";
import { badRequest, conflict } from "../failure.ts";
import type { Registry, WriteOptions } from "../registry.ts";
import type { Target } from "../target.ts";
import { checkRemovalPreconditions } from "../remove.ts";
import { listOf, recordOf } from "../shape.ts";
import { withPodCondition } from "./pod-condition.ts";

/** What conflicts about a binding are about. */
const SUBJECT = { group: "", plural: "pods/binding" };

/**
 * Puts a pod on the node that a Binding names. `name` is that of the path; undefined where the pod is only named in the body.
 * Throws Conflict where the pod has a node already.
 */
export async function bindPod(
  registry: Registry,
  place: { readonly namespace: string; readonly name: string | undefined },
  body: JsonValue,
  options: WriteOptions & { readonly now: string },
): Promise<void> {
  const { draft } = decodeObject(BINDINGS, body, options.fieldValidation);
  const { name: named = "" } = draft.metadata;
  const name = place.name ?? named;
  if (name !== named) throw badRequest("name in URL does not match name in Binding object");
  const node = nodeOf(draft);
  const pods = registry.catalog.find("", "v1", "pods");
  if (pods === undefined) throw new TypeError(`${Binding.kind} needs pods`);
  const target: Target = { resource: pods, namespace: place.namespace, name };
  const bind = (pod: ApiObject): ApiObject => bound(pod, draft, node, options.now);
  if (options.dryRun) bind(registry.get(target).object);
  else await registry.amend(target, bind);
}

function nodeOf(draft: Draft): string {
  const { kind = "", name = "" } = recordOf(draft["target"]);
  const problems: string[] = [];
  if (kind !== "" && kind !== "Node") {
    problems.push(`target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`);
  }
  if (name === "") problems.push("target.name: Required value");
  const said = problems.length > 1 ? `[${problems.join(", ")}]` : problems.join("");
  // Neither Invalid nor with causes, as the real server has it here.
  if (problems.length > 0) throw new StatusError("Unknown", said);
  return String(name);
}

function bound(pod: ApiObject, draft: Draft, node: string, now: string): ApiObject {
  const { name } = pod.metadata;
  const { uid = "", resourceVersion = "" } = draft.metadata;
  checkRemovalPreconditions({ group: "", plural: "pods" }, pod, {
    ...(uid === "" ? {} : { uid }),
    ...(resourceVersion === "" ? {} : { resourceVersion }),
  });
  const spec = recordOf(pod["spec"]);
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw conflict(SUBJECT, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if ((spec["nodeName"] ?? "") !== "") {
    throw conflict(SUBJECT, name, `pod ${name} is already assigned to node ${JSON.stringify(spec["nodeName"])}`);
  }
  if (listOf(spec["schedulingGates"]).length > 0) {
    throw conflict(SUBJECT, name, `pod ${name} has non-empty .spec.schedulingGates`);
  }
  const { labels, annotations } = draft.metadata;
  const metadata = {
    ...pod.metadata,
    ...(labels === undefined ? {} : { labels: { ...pod.metadata.labels, ...labels } }),
    ...(annotations === undefined ? {} : { annotations: { ...pod.metadata.annotations, ...annotations } }),
  };
  const { nominatedNodeName: _none, ...status } = recordOf(pod["status"]);
  const scheduled = { type: "PodScheduled", status: "True" } as const;
  return { ...pod, metadata, spec: { ...spec, nodeName: node }, status: withPodCondition(status, scheduled, now) };
}
