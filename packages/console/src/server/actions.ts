import { InputError, isJsonObject, unreachable } from "@levelset/core";
import type { JsonValue, KubeObject } from "@levelset/core";
import { Operand } from "@levelset/operator";
import type { ObjectRef } from "@levelset/operator";
import { load } from "js-yaml";
import type { Action } from "../api/index.ts";
import type { ClusterView } from "./cluster-view.ts";
import { revisionsOf } from "./revisions.ts";
import { shownObject } from "./shown-object.ts";

/** The name under which `levelset operand` asks for sets: what it asked for and no longer does must go when a set goes back. */
const OPERAND_MANAGER = "levelset-cli";

/** Does what somebody asks for, and says what is done. */
export async function act(action: Action, cluster: ClusterView, signal: AbortSignal): Promise<string> {
  const { client, discovery } = cluster;
  switch (action.kind) {
    case "delete": {
      const kind = await discovery.kindOf(action.object, { signal });
      // Left to itself, the server would leave the pods of a Job behind.
      await client.delete(kind, action.object, { propagation: "Background", signal });
      return "its deletion is asked for";
    }
    case "edit":
      return edit(action.object, action.yaml, cluster, signal);
    case "suspend":
    case "resume": {
      const suspend = action.kind === "suspend";
      await client.mergePatch(Operand, { name: action.set }, { spec: { suspend } }, { signal });
      return suspend ? "suspended: nothing is written until it is resumed" : "resumed";
    }
    case "rollback":
      return rollback(action.set, action.generation, cluster, signal);
    default:
      return unreachable(action);
  }
}

async function edit(
  ref: ObjectRef,
  yaml: string,
  { client, discovery }: ClusterView,
  signal: AbortSignal,
): Promise<string> {
  const edited = parsed(yaml);
  if (!isJsonObject(edited) || !isJsonObject(edited["metadata"])) throw new InputError("the YAML is no object");
  const { name, namespace, resourceVersion } = edited["metadata"];
  const isSame = edited["apiVersion"] === ref.apiVersion && edited["kind"] === ref.kind;
  if (!isSame || name !== ref.name || namespace !== ref.namespace) {
    throw new InputError("apiVersion, kind, name and namespace say which object it is: they cannot be edited");
  }
  if (typeof resourceVersion !== "string") throw new InputError("metadata.resourceVersion is missing");
  const kind = await discovery.kindOf(ref, { signal });
  const live = await client.get(kind, ref, { signal });
  if (shownObject(live).isMasked) {
    throw new InputError("it holds values of Secrets, which the console does not show: edit it with kubectl");
  }
  if (holdsBigInteger(live)) {
    throw new InputError("it holds integers beyond 2^53, which would be rounded here: edit it with kubectl");
  }
  // Checked by the server, which has its schema.
  const after = await client.update(kind, edited as unknown as KubeObject, { signal, fieldValidation: "Strict" });
  const { generation } = after.metadata;
  return generation === undefined ? "written" : `written, as generation ${generation}`;
}

function holdsBigInteger(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value === "bigint";
  return Object.values(value).some(holdsBigInteger);
}

function parsed(yaml: string): JsonValue {
  try {
    return load(yaml) as JsonValue; // YAML of this schema is JSON
  } catch (error) {
    throw new InputError(`the YAML cannot be read: ${error instanceof Error ? error.message : ""}`, { cause: error });
  }
}

async function rollback(
  name: string,
  generation: number,
  { client }: ClusterView,
  signal: AbortSignal,
): Promise<string> {
  const operand = await client.get(Operand, { name }, { signal });
  const revisions = await revisionsOf(client, operand, signal);
  const revision = revisions.find(({ spec }) => Number(spec.generation) === generation);
  if (revision === undefined) throw new InputError(`generation ${generation} is not kept`);
  const body = { metadata: { name }, spec: revision.spec.asked } as never; // what the server once took
  const options = { force: true, fieldManager: OPERAND_MANAGER, signal };
  const after = await client.apply(Operand, body, options);
  return `generation ${generation} is asked for again, as generation ${after.metadata.generation ?? ""}`;
}
