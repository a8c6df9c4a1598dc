/**
 * The phase that acts. For each resource there are three answers: apply it, hold it, or delete it. They are decided from what is there: if any resource has a gate, or
 * the fleet's resource is being deleted, all are looked for first, and one that cannot be looked for ends the phase, so that absence is never guessed.
 *
 * - Its delete gate holds: it is deleted if it is there.
 * - The fleet's resource is being deleted and the gate does not hold (yet): it is held, neither made nor changed.
 * - Otherwise it is applied; if it is absent, only when its create gate holds.
 *
 * A failure to apply ends the phase. A failure to delete is kept, and so is a resource that another client keeps changing: the others go on all the same.
 *
 * Only objects that the adapter owns for this resource of the fleet are known as `resources.NAME`. An object of another owner is not touched: it fails the
 * phase as `NotOurs` where it is in the way of an apply, and is no obstacle to a deletion.
 */
import type { JsonObject } from "@levelset/core";
import { ExpressionError } from "../expression/index.ts";
import type { TaskResource } from "../task/index.ts";
import { TemplateError } from "../template/index.ts";
import {
  ContestedFailure,
  describeObject,
  generationOf,
  isClaimed,
  NotOurs,
  TransportFailure,
} from "../transport/index.ts";
import type { Claim, Target, Transport } from "../transport/index.ts";
import type { RunContext } from "./context.ts";
import { actOnHttp, observeHttp } from "./http-resource.ts";
import { nestedIn } from "./nested.ts";
import { PhaseError } from "./phase-error.ts";

/** What became of the phase. */
export interface ResourcesOutcome {
  /** Whether a create gate kept something from being made. */
  readonly isSkipped: boolean;
  /** The failures of deletions, and the contested resources, by the name of the resource. */
  readonly errors: ReadonlyMap<string, PhaseError>;
}

/** Brings the resources of a task to what they should be. Throws a PhaseError. */
export async function actOnResources(
  resources: readonly TaskResource[],
  run: RunContext,
  isDeleting: boolean,
): Promise<ResourcesOutcome> {
  const isGated = resources.some(({ createWhen, recreateWhen, remove }) => createWhen ?? recreateWhen ?? remove);
  const isLooked = isDeleting || isGated;
  const looked = new Map<string, Looked>();
  if (isLooked) {
    for (const resource of resources) looked.set(resource.name, await step(resource, () => look(resource, run)));
  }
  const errors = new Map<string, PhaseError>();
  let isSkipped = false;
  for (const resource of resources) {
    const { name } = resource;
    try {
      const result = await step(resource, () => act(resource, run, isDeleting, looked.get(name)));
      isSkipped ||= result === "skipped";
      run.trace.resources.push({ name, status: result === "skipped" ? "skipped" : "success", detail: result });
    } catch (error) {
      if (!(error instanceof ResourceError)) throw error;
      errors.set(name, error);
      run.trace.resources.push({ name, status: "failed", detail: error.message });
    }
  }
  return { isSkipped, errors };
}

/** One resource failed, and the others go on. */
class ResourceError extends PhaseError {}

/** Everything that can go wrong with a resource is a failure of the phase at that resource. */
async function step<Out>({ name }: TaskResource, work: () => Promise<Out>): Promise<Out> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TransportFailure) {
      const { message, isTransient, means } = error;
      const reason = error instanceof NotOurs ? "NotOurs" : undefined;
      throw new PhaseError("resources", name, message, { isTransient, reason, means });
    }
    if (error instanceof ExpressionError || error instanceof TemplateError || error instanceof TypeError) {
      throw new PhaseError("resources", name, error.message);
    }
    throw error;
  }
}

/** What was found for a resource: an object that is ours, or one in its place that is not. */
interface Looked {
  readonly live: JsonObject | undefined;
  readonly foreign?: JsonObject | undefined;
}

/** Looks for a resource and everything nested in it, and remembers what is there. */
async function look(resource: TaskResource, run: RunContext): Promise<Looked> {
  const looked = await find(resource, run);
  const { live, foreign } = looked;
  run.trace.operations.push({
    resource: resource.name,
    operation: "find",
    result: live !== undefined ? "found" : foreign === undefined ? "absent" : `not ours: ${describeObject(foreign)}`,
  });
  remember(resource, live, run);
  return looked;
}

async function find(resource: TaskResource, run: RunContext): Promise<Looked> {
  if (resource.transport.kind === "http")
    return { live: await observeHttp(resource.name, resource.transport.http, run) };
  const { transport, target } = place(resource, run);
  const found = await transport.find(target, run.signal);
  const claim = claimOf(resource, run);
  const live = found.find((object) => isClaimed(transport.ownership(object, claim.mark), claim));
  return live === undefined ? { live, foreign: found[0] } : { live };
}

function claimOf({ adopt }: TaskResource, { mark }: RunContext): Claim {
  return { mark, adopt };
}

/** What is ours is known as `resources.NAME`; what is absent or another owner's is not known. */
function remember(resource: TaskResource, live: JsonObject | undefined, run: RunContext): void {
  for (const { name } of [resource, ...resource.nested]) delete run.resources[name];
  if (live !== undefined) {
    run.resources[resource.name] = live;
    for (const { name, discovery } of resource.nested) {
      const found = nestedIn(live, run.renderer.place(discovery));
      if (found !== undefined) run.resources[name] = found;
    }
  }
  run.known.set("resources", { ...run.resources });
}

type Acted = "applied" | "deleted" | "already deleted" | "not ours" | "held" | "skipped";

async function act(
  resource: TaskResource,
  run: RunContext,
  isDeleting: boolean,
  looked: Looked | undefined,
): Promise<Acted> {
  const { name, remove, createWhen } = resource;
  const live = run.resources[name];
  if (remove?.when.holds(run.known.json) === true) return removeOne(resource, { live, foreign: looked?.foreign }, run);
  if (isDeleting) {
    run.trace.operations.push({ resource: name, operation: "hold", result: live === undefined ? "absent" : "kept" });
    return "held";
  }
  if (live === undefined && createWhen?.holds(run.known.json) === false) return "skipped";
  await applyOne(resource, looked === undefined ? (await look(resource, run)).live : live, run);
  return "applied";
}

async function removeOne(resource: TaskResource, { live, foreign }: Looked, run: RunContext): Promise<Acted> {
  const { name, remove } = resource;
  if (live === undefined) {
    if (foreign === undefined) return "already deleted";
    // What is not ours is not deleted, and does not hold up the deletion of what is.
    run.world.logger.warn("object is not ours, not deleted", { step: name, object: describeObject(foreign) });
    return "not ours";
  }
  try {
    if (resource.transport.kind === "http") {
      await actOnHttp(name, resource.transport.http, run, "delete");
    } else {
      const { transport, target } = place(resource, run);
      const policy = remove?.policy ?? "Background";
      await transport.remove(target, live, { ...claimOf(resource, run), policy, signal: run.signal });
    }
    run.trace.operations.push({ resource: name, operation: "delete", result: "asked for" });
    await look(resource, run);
    return "deleted";
  } catch (error) {
    const isKnown = error instanceof TransportFailure || error instanceof PhaseError;
    if (!isKnown) throw error;
    throw new ResourceError("resources", name, error.message, { isTransient: error.isTransient, means: error.means });
  }
}

async function applyOne(resource: TaskResource, live: JsonObject | undefined, run: RunContext): Promise<void> {
  const { name, recreateWhen, isRecreatedOnChange } = resource;
  if (resource.transport.kind === "http") {
    const isAccepted = await actOnHttp(name, resource.transport.http, run, "apply");
    await look(resource, run);
    if (isAccepted) acceptHttp(resource, run);
    run.applied.add(name);
    return;
  }
  const { transport, target, manifest } = place(resource, run);
  const isRecreated =
    live !== undefined &&
    (recreateWhen === undefined
      ? isRecreatedOnChange && generationOf(live) !== generationOf(manifest)
      : recreateWhen.holds(run.known.json));
  const options = { ...claimOf(resource, run), isRecreated, signal: run.signal };
  const applied = await transport.apply(target, manifest, live, options).catch((error: unknown) => {
    if (!(error instanceof ContestedFailure)) throw error;
    remember(resource, error.live, run);
    // It was applied, again and again.
    run.applied.add(name);
    const { message, means } = error;
    throw new ResourceError("resources", name, message, { isTransient: true, reason: "Contested", means });
  });
  run.trace.operations.push({ resource: name, operation: "apply", result: applied.as });
  remember(resource, applied.live, run);
  run.applied.add(name);
}

/** A request that was answered with 202 is still being worked on, whatever the resource looks like meanwhile. */
function acceptHttp(resource: TaskResource, run: RunContext): void {
  remember(resource, { ...run.resources[resource.name], inProgress: true }, run);
}

interface Place {
  readonly transport: Transport;
  readonly target: Target;
  readonly manifest: JsonObject;
}

function place({ transport, manifest, discovery }: TaskResource, run: RunContext): Place {
  const { renderer, world } = run;
  if (transport.kind === "http") throw new TypeError("a resource of http has no manifest");
  const found = world.transports[transport.kind];
  if (found === undefined)
    throw new TypeError(`there is no client for ${transport.kind}: see clients.${transport.kind}`);
  const rendered = renderer.manifest(manifest, world.parseYaml);
  const targetCluster = transport.kind === "maestro" ? transport.targetCluster : undefined;
  return { transport: found, manifest: rendered, target: renderer.target(rendered, discovery, targetCluster) };
}
