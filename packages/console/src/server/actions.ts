import { InputError, isConflict, isJsonObject } from "@levelset/core";
import { unreachable } from "@levelset/core/internal";
import type { JsonObject, KubeObject } from "@levelset/core";
import { isFleetApiError } from "@levelset/fleet/client";
import type { WirePatch } from "@levelset/fleet/client";
import { Operand } from "@levelset/operator";
import { listRevisions } from "@levelset/operator/internal";
import type { ObjectRef } from "@levelset/operator";
import type { Action, ResourceRef } from "../api/index.ts";
import { collectionOf, editableDeclaration } from "./page/fleet-resource-page.ts";
import type { ClusterMonitor } from "./monitor/cluster-monitor.ts";
import { editableObject, parseEdited } from "./page/editable.ts";
import type { Editable } from "./page/editable.ts";
import type { FleetMonitor } from "./monitor/fleet-monitor.ts";
import { EditConflictError } from "./edit-conflict-error.ts";

/** Field manager of `levelset operand`. A rollback uses it, so that fields which that command set later are removed. */
const OPERAND_MANAGER = "levelset-cli";
/** Maximum number of tries of an edit. Writes to other fields, such as status, cause conflicts that a retry solves. */
const TRIES_MAX = 5;

/** The text before and after an edit. */
interface Edit {
  readonly base: string;
  readonly yaml: string;
}

/** Targets of actions. */
export interface ActionTargets {
  readonly cluster: ClusterMonitor | undefined;
  readonly fleet: FleetMonitor | undefined;
}

/**
 * Performs an action and returns a message. Rejects with an EditConflictError if the object was changed since it was
 * read, with an InputError if the action is invalid, and with the errors of the clients.
 */
export async function performAction(action: Action, targets: ActionTargets, signal: AbortSignal): Promise<string> {
  switch (action.kind) {
    case "delete": {
      const { client, discovery } = clusterOf(targets);
      const { object, uid } = action;
      const kind = await discovery.kindOf(object, { signal });
      // The default of batch/v1 Jobs orphans their pods (pkg/registry/batch/job/strategy.go).
      await client.delete(kind, object, { uid, propagationPolicy: "Background", signal });
      return "deletion requested";
    }
    case "edit":
      return edit(action.object, action, clusterOf(targets), signal);
    case "suspend":
    case "resume": {
      const suspend = action.kind === "suspend";
      await clusterOf(targets).client.mergePatch(Operand, { name: action.set }, { spec: { suspend } }, { signal });
      return suspend ? "suspended: no writes until it is resumed" : "resumed";
    }
    case "rollback":
      return rollback(action.set, action.generation, clusterOf(targets), signal);
    case "edit-resource":
      return editResource(action.resource, action, fleetOf(targets), signal);
    case "delete-resource": {
      const { plural, id } = action.resource;
      await collectionOf(plural, fleetOf(targets)).collection.delete(id, { signal });
      return "deletion requested: it waits for the adapters to finalize";
    }
    default:
      return unreachable(action);
  }
}

async function edit(
  ref: ObjectRef,
  { base, yaml }: Edit,
  cluster: ClusterMonitor,
  signal: AbortSignal,
): Promise<string> {
  const { client, discovery } = cluster;
  const edited = parseEdited(yaml);
  checkIdentity(edited, ref);
  const kind = await discovery.kindOf(ref, { signal });
  for (let tries = 1; ; tries++) {
    const live = await client.get(kind, ref, { signal });
    checkBase(base, editableObject(live, kind));
    const { uid, resourceVersion } = live.metadata;
    const metadata = { ...(edited["metadata"] as JsonObject), uid, resourceVersion }; // checked above
    const desired = { ...edited, metadata } as unknown as KubeObject; // the server validates it against the schema
    try {
      const { generation } = (await client.update(kind, desired, { signal, fieldValidation: "Strict" })).metadata;
      return generation === undefined ? "saved" : `saved as generation ${generation}`;
    } catch (error) {
      if (!isConflict(error) || tries >= TRIES_MAX) throw error;
    }
  }
}

function checkIdentity({ apiVersion, kind, metadata }: JsonObject, ref: ObjectRef): void {
  const { name, namespace } = isJsonObject(metadata) ? metadata : {};
  if (apiVersion === ref.apiVersion && kind === ref.kind && name === ref.name && namespace === ref.namespace) return;
  throw new InputError("apiVersion, kind, metadata.name and metadata.namespace cannot be edited");
}

function checkBase(base: string, current: Editable): void {
  if (current.kind === "refused") throw new InputError(`${current.why}: edit it with kubectl`);
  if (current.text !== base) throw new EditConflictError(base, current.text);
}

async function rollback(
  name: string,
  generation: number,
  { client }: ClusterMonitor,
  signal: AbortSignal,
): Promise<string> {
  const operand = await client.get(Operand, { name }, { signal });
  const revisions = await listRevisions(client, operand, signal);
  const revision = revisions.find(({ spec }) => Number(spec.generation) === generation);
  if (revision === undefined) throw new InputError(`generation ${generation} is not retained`);
  const body = { metadata: { name }, spec: revision.spec.asked } as never; // the server accepted this spec before
  const options = { force: true, fieldManager: OPERAND_MANAGER, signal };
  const after = await client.apply(Operand, body, options);
  return `rolled back to generation ${generation}, as generation ${after.metadata.generation ?? ""}`;
}

async function editResource(
  ref: ResourceRef,
  { base, yaml }: Edit,
  fleet: FleetMonitor,
  signal: AbortSignal,
): Promise<string> {
  const { collection } = collectionOf(ref.plural, fleet);
  const { labels = {}, spec, ...others } = parseEdited(yaml);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new InputError(`${unknown} cannot be edited: only labels and spec can`);
  if (!isJsonObject(spec)) throw new InputError("spec must be an object");
  const change = { labels, spec } as WirePatch; // checked by the fleet
  for (let tries = 1; ; tries++) {
    const { resource, etag } = await collection.get(ref.id, { signal });
    checkBase(base, editableDeclaration(resource));
    try {
      const after = await collection.patch(ref.id, change, { ifMatch: etag, signal });
      return `saved as generation ${after.resource.generation}`;
    } catch (error) {
      if (!isFleetApiError(error, "stale") || tries >= TRIES_MAX) throw error;
    }
  }
}

function clusterOf({ cluster }: ActionTargets): ClusterMonitor {
  if (cluster !== undefined) return cluster;
  throw new InputError("no cluster is connected");
}

function fleetOf({ fleet }: ActionTargets): FleetMonitor {
  if (fleet !== undefined) return fleet;
  throw new InputError("no fleet is connected");
}
