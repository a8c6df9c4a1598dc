/**
 * The resources phase. Each resource is applied, held or deleted, depending on the observed state. If any resource has
 * a gate, or the fleet resource is being deleted, all resources are looked up first. A lookup that fails ends the
 * phase, so absence is never assumed.
 *
 * - Its delete gate is true: it is deleted if it exists.
 * - The fleet resource is being deleted and the delete gate is false: it is held, neither created nor changed.
 * - Otherwise it is applied; if it does not exist, only when its create gate is true.
 *
 * A failed apply ends the phase. A failed deletion, and a resource that another client keeps changing, are recorded
 * while the other resources continue.
 *
 * Only objects that the adapter owns for this fleet resource are visible as `resources.NAME`. An object of another
 * owner is never touched: it fails the phase as `NotOurs` where it blocks an apply, and does not block a deletion.
 */
import type { JsonObject } from "@levelset/core";
import { ExpressionError } from "../expression/index.ts";
import type { TaskResource } from "../task/index.ts";
import { TemplateError } from "../template/index.ts";
import {
  ContestedObjectError,
  describeObject,
  generationAnnotationOf,
  isClaimed,
  NotOwnedError,
  AdapterTransportError,
} from "../transport/index.ts";
import type { OwnerClaim, ObjectLocator, Transport } from "../transport/index.ts";
import type { RunContext } from "./run-context.ts";
import { reconcileHttp, observeHttp } from "./http-resource.ts";
import { findInManifestWork } from "./manifest-work.ts";
import { PhaseError } from "./phase-error.ts";

/** Result of the resources phase. */
export interface ResourcesResult {
  /** Whether a create gate prevented a resource from being created. */
  readonly isSkipped: boolean;
  /** Failed deletions and contested resources, by resource name. */
  readonly errors: ReadonlyMap<string, PhaseError>;
}

/** Reconciles the resources of a task. Throws a PhaseError. */
export async function reconcileResources(
  resources: readonly TaskResource[],
  run: RunContext,
  isDeleting: boolean,
): Promise<ResourcesResult> {
  const isGated = resources.some(
    ({ createWhen, recreateWhen, delete: deletion }) => createWhen ?? recreateWhen ?? deletion,
  );
  const isDiscovered = isDeleting || isGated;
  const discovered = new Map<string, Discovered>();
  if (isDiscovered) {
    for (const resource of resources)
      discovered.set(resource.name, await step(resource, () => discover(resource, run)));
  }
  const errors = new Map<string, PhaseError>();
  let isSkipped = false;
  for (const resource of resources) {
    const { name } = resource;
    try {
      const result = await step(resource, () => act(resource, run, isDeleting, discovered.get(name)));
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

/** Failure of one resource that does not stop the others. */
class ResourceError extends PhaseError {}

/** Converts any error of a resource to a PhaseError at that resource. */
async function step<Out>({ name }: TaskResource, work: () => Promise<Out>): Promise<Out> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AdapterTransportError) {
      const { message, isTransient, means } = error;
      const reason = error instanceof NotOwnedError ? "NotOurs" : undefined;
      throw new PhaseError("resources", name, message, { isTransient, reason, means });
    }
    if (error instanceof ExpressionError || error instanceof TemplateError || error instanceof TypeError) {
      throw new PhaseError("resources", name, error.message);
    }
    throw error;
  }
}

/** Lookup result of a resource: an object of ours, or a foreign one in its place. */
interface Discovered {
  readonly live: JsonObject | undefined;
  readonly foreign?: JsonObject | undefined;
}

/** Looks up a resource and everything nested in it, and stores the objects found. */
async function discover(resource: TaskResource, run: RunContext): Promise<Discovered> {
  const discovered = await find(resource, run);
  const { live, foreign } = discovered;
  run.trace.operations.push({
    resource: resource.name,
    operation: "find",
    result: live !== undefined ? "found" : foreign === undefined ? "absent" : `not ours: ${describeObject(foreign)}`,
  });
  remember(resource, live, run);
  return discovered;
}

async function find(resource: TaskResource, run: RunContext): Promise<Discovered> {
  if (resource.transport.kind === "http")
    return { live: await observeHttp(resource.name, resource.transport.http, run) };
  const { transport, target } = resolveTarget(resource, run);
  const found = await transport.find(target, run.signal);
  const claim = claimOf(resource, run);
  const live = found.find((object) => isClaimed(transport.ownership(object, claim.owner), claim));
  return live === undefined ? { live, foreign: found[0] } : { live };
}

function claimOf({ adopt }: TaskResource, { owner }: RunContext): OwnerClaim {
  return { owner, adopt };
}

/** Stores an object of ours as `resources.NAME`; absent and foreign objects are removed. */
function remember(resource: TaskResource, live: JsonObject | undefined, run: RunContext): void {
  for (const { name } of [resource, ...resource.nested]) delete run.resources[name];
  if (live !== undefined) {
    run.resources[resource.name] = live;
    for (const { name, discovery } of resource.nested) {
      const found = findInManifestWork(live, run.renderer.renderDiscovery(discovery));
      if (found !== undefined) run.resources[name] = found;
    }
  }
  run.variables.set("resources", { ...run.resources });
}

type ResourceAction = "applied" | "deleted" | "already deleted" | "not ours" | "held" | "skipped";

async function act(
  resource: TaskResource,
  run: RunContext,
  isDeleting: boolean,
  discovered: Discovered | undefined,
): Promise<ResourceAction> {
  const { name, delete: deletion, createWhen } = resource;
  const live = run.resources[name];
  if (deletion?.when.holds(run.variables.json) === true)
    return removeOne(resource, { live, foreign: discovered?.foreign }, run);
  if (isDeleting) {
    run.trace.operations.push({ resource: name, operation: "hold", result: live === undefined ? "absent" : "kept" });
    return "held";
  }
  if (live === undefined && createWhen?.holds(run.variables.json) === false) return "skipped";
  await applyOne(resource, discovered === undefined ? (await discover(resource, run)).live : live, run);
  return "applied";
}

async function removeOne(
  resource: TaskResource,
  { live, foreign }: Discovered,
  run: RunContext,
): Promise<ResourceAction> {
  const { name, delete: deletion } = resource;
  if (live === undefined) {
    if (foreign === undefined) return "already deleted";
    // A foreign object is not deleted and does not block the deletion of our own objects.
    run.world.logger.warn("foreign object not deleted", { step: name, object: describeObject(foreign) });
    return "not ours";
  }
  try {
    if (resource.transport.kind === "http") {
      await reconcileHttp(name, resource.transport.http, run, "delete");
    } else {
      const { transport, target } = resolveTarget(resource, run);
      const policy = deletion?.policy ?? "Background";
      await transport.delete(target, live, { ...claimOf(resource, run), policy, signal: run.signal });
    }
    run.trace.operations.push({ resource: name, operation: "delete", result: "requested" });
    await discover(resource, run);
    return "deleted";
  } catch (error) {
    const isKnown = error instanceof AdapterTransportError || error instanceof PhaseError;
    if (!isKnown) throw error;
    throw new ResourceError("resources", name, error.message, { isTransient: error.isTransient, means: error.means });
  }
}

async function applyOne(resource: TaskResource, live: JsonObject | undefined, run: RunContext): Promise<void> {
  const { name, recreateWhen, recreateOnChange } = resource;
  if (resource.transport.kind === "http") {
    const isAccepted = await reconcileHttp(name, resource.transport.http, run, "apply");
    await discover(resource, run);
    if (isAccepted) acceptHttp(resource, run);
    run.applied.add(name);
    return;
  }
  const { transport, target, manifest } = resolveTarget(resource, run);
  const recreate =
    live !== undefined &&
    (recreateWhen === undefined
      ? recreateOnChange && generationAnnotationOf(live) !== generationAnnotationOf(manifest)
      : recreateWhen.holds(run.variables.json));
  const options = { ...claimOf(resource, run), recreate, signal: run.signal };
  const applied = await transport.apply(target, manifest, live, options).catch((error: unknown) => {
    if (!(error instanceof ContestedObjectError)) throw error;
    remember(resource, error.live, run);
    // The manifest was applied, although another client keeps reverting it.
    run.applied.add(name);
    const { message, means } = error;
    throw new ResourceError("resources", name, message, { isTransient: true, reason: "Contested", means });
  });
  run.trace.operations.push({ resource: name, operation: "apply", result: applied.as });
  remember(resource, applied.live, run);
  run.applied.add(name);
}

/** A request accepted with 202 is in progress, whatever the observed state of the resource. */
function acceptHttp(resource: TaskResource, run: RunContext): void {
  remember(resource, { ...run.resources[resource.name], inProgress: true }, run);
}

interface ResolvedTarget {
  readonly transport: Transport;
  readonly target: ObjectLocator;
  readonly manifest: JsonObject;
}

function resolveTarget({ transport, manifest, discovery }: TaskResource, run: RunContext): ResolvedTarget {
  const { renderer, world } = run;
  if (transport.kind === "http") throw new TypeError("an http resource has no manifest");
  const found = world.transports[transport.kind];
  if (found === undefined)
    throw new TypeError(`no client configured for ${transport.kind}: set clients.${transport.kind}`);
  const rendered = renderer.manifest(manifest, world.parseYaml);
  const targetCluster = transport.kind === "maestro" ? transport.targetCluster : undefined;
  return { transport: found, manifest: rendered, target: renderer.target(rendered, discovery, targetCluster) };
}
