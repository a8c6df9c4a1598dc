import { InputError, isConflict, isJsonObject, unreachable } from "@levelset/core";
import type { JsonObject, KubeObject } from "@levelset/core";
import { isProblem } from "@levelset/fleet/client";
import type { WirePatch } from "@levelset/fleet/client";
import { Operand } from "@levelset/operator";
import type { ObjectRef } from "@levelset/operator";
import type { Action, ResourceRef } from "../api/index.ts";
import { collectionOf, editableDeclaration } from "./cluster-page.ts";
import type { ClusterView } from "./cluster-view.ts";
import { editableObject, readEdited } from "./editable.ts";
import type { Editable } from "./editable.ts";
import type { FleetView } from "./fleet-view.ts";
import { Overtaken } from "./overtaken.ts";
import { revisionsOf } from "./revisions.ts";

/** The name under which `levelset operand` asks for sets: what it asked for and no longer does must go when a set goes back. */
const OPERAND_MANAGER = "levelset-cli";
/** How often an edit is tried again because of writes that do not touch what is edited, such as those of a status. */
const TRIES_MAX = 5;

/** What an edit began with, and what it is to become. */
interface Edit {
  readonly base: string;
  readonly yaml: string;
}

/** Where things are done. */
export interface Stages {
  readonly cluster: ClusterView | undefined;
  readonly fleet: FleetView | undefined;
}

/** Does what somebody asks for, and says what is done. */
export async function act(action: Action, stages: Stages, signal: AbortSignal): Promise<string> {
  switch (action.kind) {
    case "delete": {
      const { client, discovery } = clusterOf(stages);
      const { object, uid } = action;
      const kind = await discovery.kindOf(object, { signal });
      // Left to itself, the server would leave the pods of a Job behind.
      await client.delete(kind, object, { uid, propagation: "Background", signal });
      return "its deletion is asked for";
    }
    case "edit":
      return edit(action.object, action, clusterOf(stages), signal);
    case "suspend":
    case "resume": {
      const suspend = action.kind === "suspend";
      await clusterOf(stages).client.mergePatch(Operand, { name: action.set }, { spec: { suspend } }, { signal });
      return suspend ? "suspended: nothing is written until it is resumed" : "resumed";
    }
    case "rollback":
      return rollback(action.set, action.generation, clusterOf(stages), signal);
    case "declare":
      return declare(action.resource, action, fleetOf(stages), signal);
    case "retire": {
      const { plural, id } = action.resource;
      await collectionOf(plural, fleetOf(stages)).collection.delete(id, { signal });
      return "its deletion is asked for: it goes when its adapters have finalized it";
    }
    default:
      return unreachable(action);
  }
}

async function edit(ref: ObjectRef, { base, yaml }: Edit, cluster: ClusterView, signal: AbortSignal): Promise<string> {
  const { client, discovery } = cluster;
  const edited = readEdited(yaml);
  checkIdentity(edited, ref);
  const kind = await discovery.kindOf(ref, { signal });
  for (let tries = 1; ; tries++) {
    const live = await client.get(kind, ref, { signal });
    checkBase(base, editableObject(live, kind));
    const { uid, resourceVersion } = live.metadata;
    const metadata = { ...(edited["metadata"] as JsonObject), uid, resourceVersion }; // checked above
    const wanted = { ...edited, metadata } as unknown as KubeObject; // checked by the server, which has its schema
    try {
      const { generation } = (await client.update(kind, wanted, { signal, fieldValidation: "Strict" })).metadata;
      return generation === undefined ? "written" : `written, as generation ${generation}`;
    } catch (error) {
      if (!isConflict(error) || tries >= TRIES_MAX) throw error;
    }
  }
}

function checkIdentity({ apiVersion, kind, metadata }: JsonObject, ref: ObjectRef): void {
  const { name, namespace } = isJsonObject(metadata) ? metadata : {};
  if (apiVersion === ref.apiVersion && kind === ref.kind && name === ref.name && namespace === ref.namespace) return;
  throw new InputError("apiVersion, kind, name and namespace say which object it is: they cannot be edited");
}

function checkBase(base: string, now: Editable): void {
  if (now.kind === "refused") throw new InputError(`${now.why}: edit it with kubectl`);
  if (now.text !== base) throw new Overtaken(base, now.text);
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

async function declare(ref: ResourceRef, { base, yaml }: Edit, fleet: FleetView, signal: AbortSignal): Promise<string> {
  const { collection } = collectionOf(ref.plural, fleet);
  const { labels = {}, spec, ...others } = readEdited(yaml);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new InputError(`${unknown} cannot be edited: a declaration has labels and spec`);
  if (!isJsonObject(spec)) throw new InputError("spec must be an object");
  const change = { labels, spec } as WirePatch; // checked by the fleet
  for (let tries = 1; ; tries++) {
    const { resource, tag } = await collection.get(ref.id, { signal });
    checkBase(base, editableDeclaration(resource));
    try {
      const after = await collection.patch(ref.id, change, { ifMatch: tag, signal });
      return `declared, as generation ${after.resource.generation}`;
    } catch (error) {
      if (!isProblem(error, "stale") || tries >= TRIES_MAX) throw error;
    }
  }
}

function clusterOf({ cluster }: Stages): ClusterView {
  if (cluster !== undefined) return cluster;
  throw new InputError("no cluster is looked at");
}

function fleetOf({ fleet }: Stages): FleetView {
  if (fleet !== undefined) return fleet;
  throw new InputError("no fleet is looked at");
}
