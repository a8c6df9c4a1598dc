import { containsApplied, objectType } from "@levelset/core/apply";
import { isConflict, isDeleting, isInvalid } from "@levelset/core";
import { controllingOwnerUid } from "@levelset/core/internal";
import type { JsonObject, Kind, KubeObject, NewOf, ObjectOf } from "@levelset/core";
import { liveObject, takeOverItems, UNMATCHED_RESOURCE_VERSION } from "../../apply/index.ts";
import type { Contest, ObjectContention, TakeOverResult } from "../../apply/index.ts";
import type { ApplyConfiguration } from "../../client/index.ts";
import { contestResult, describeRef, refOf, refTo, requeueAfter, terminal, wait } from "../../engine/index.ts";
import type { ObjectRef, Result } from "../../engine/index.ts";
import { childManifest } from "./child-manifest.ts";
import type { ChildManifest, ChildOptions } from "./child-manifest.ts";
import { isOwnerLive, provenChild } from "./proves-ours.ts";
import { ATTEMPTS_MAX } from "./child-req.ts";
import type { ChildReq } from "./child-req.ts";

/** Options of {@link applyChild}. */
export interface ApplyChildOptions extends ChildOptions {
  /** True if an existing object without an owner is adopted. */
  readonly adopt: boolean;
}

/** Result of applying a child. */
export type ApplyChildResult<O> =
  | { readonly kind: "applied"; readonly object: O; readonly changed: boolean }
  | { readonly kind: "refused"; readonly result: Result<never> };

/** Reason of the condition of a step whose child would replace an object of another owner. */
export const NOT_OURS = "NotOurs";
/** Interval between checks of a foreign object under the child's name: it may be deleted without an event for us. */
const NOT_OURS_MS = 30_000;

/**
 * Applies one child by server-side apply, unless it is up to date.
 *
 * Sends no request if the fields applied last are the desired ones and the child has all their values. Creates the
 * child only if the name is free, and changes only the version that was checked to be ours: a foreign object is neither
 * overwritten nor adopted, even if it appears at the last moment. A child whose owner reference or owner annotation
 * another client has removed is repaired if `provesOurs`. Waits for a child that is being deleted. A child that is
 * missing is not created again for an owner that is gone. A child of an earlier step is left to that step.
 */
export async function applyChild<C extends Kind>(
  req: ChildReq,
  kind: C,
  desired: NewOf<C>,
  options: ApplyChildOptions,
): Promise<ApplyChildResult<ObjectOf<C>>> {
  const manifest = childManifest(req.object, kind, desired, options);
  if (manifest.kind === "bad") return { kind: "refused", result: terminal(manifest.problem) };
  const other = req.claim(kind, manifest.key);
  if (other !== undefined)
    return { kind: "refused", result: wantedTwice(options.step, other, refTo(kind, manifest.key)) };
  const contention = req.contention(kind, manifest.key, manifest.body);
  let live = req.get(kind, manifest.key);
  let isCopy = true;
  /** The child before items of other writers were taken over. */
  let before: ObjectOf<C> | undefined;
  for (let attempt = 1; ; attempt++) {
    const stripped = await strippedChild(req, kind, live, { step: options.step, applied: manifest.applied });
    if (stripped !== undefined) isCopy = false;
    live = stripped ?? live;
    const refusal = live === undefined || live === stripped ? undefined : refusalOf(req.object, live, options);
    if (refusal !== undefined) return { kind: "refused", result: refusal };
    if (live !== undefined && isApplied(req, kind, live, manifest)) {
      contention.seen();
      return { kind: "applied", object: live, changed: false };
    }
    const contest = contention.hold();
    if (contest !== undefined) return held(live, contest, refTo(kind, manifest.key));
    if (live === undefined && (await isVanished(req, contention)))
      return { kind: "refused", result: ownerDeleted(req, refTo(kind, manifest.key)) };
    // Cached objects have no managedFields.
    if (!(isCopy && contention.needsManagers)) {
      const isOurs = live !== undefined && (live === stripped || isControlled(live, req.object));
      const sent = await send(req, kind, { live, isOurs, manifest });
      if (sent.kind === "refused") return sent;
      if (sent.kind === "applied") {
        contention.wrote(before ?? live, sent.object);
        return sent;
      }
      if (sent.kind === "taken") {
        ({ before, object: live } = sent);
        isCopy = false;
        continue;
      }
      if (attempt >= ATTEMPTS_MAX) throw sent.error;
    }
    live = await liveObject(req, kind, manifest.key);
    isCopy = false;
  }
}

/** Returns a child whose owner reference or owner annotation was removed, as read from the server, if it is ours. */
async function strippedChild<C extends Kind>(
  req: ChildReq,
  kind: C,
  live: ObjectOf<C> | undefined,
  claim: { readonly step: string; readonly applied: string },
): Promise<ObjectOf<C> | undefined> {
  // No event reports that a stripped child is gone, so one in deletion is polled, as foreign objects are.
  if (live === undefined || controllingOwnerUid(live) !== undefined || isDeleting(live)) return undefined;
  const proven = await provenChild(req, kind, live, claim);
  return proven !== undefined && (await isOwnerLive(req)) ? proven : undefined;
}

/**
 * A contested child that must not be written yet: later steps continue with the existing child, and wait if there is
 * none.
 */
function held<O>(live: O | undefined, contest: Contest, ref: ObjectRef): ApplyChildResult<O> {
  if (live === undefined) return { kind: "refused", result: contestResult(ref, contest) };
  return { kind: "applied", object: live, changed: false };
}

/**
 * Reports whether a missing child is missing because its owner is gone, as read from the server: the cached owner may be
 * older than the event that reports the deletion of the child, and the garbage collector would delete a new one again.
 * Sends no request for an owner that has no result yet, whose children do not exist.
 */
async function isVanished(req: ChildReq, contention: ObjectContention): Promise<boolean> {
  const isNew = req.object.status?.conditions === undefined && !contention.wasWritten;
  return !isNew && !(await hasLiveOwner(req));
}

/** Reads of owners, by the object of the run: each run has its own copy of it. */
const OWNER_READS = new WeakMap<KubeObject, Promise<boolean>>();

/** Returns `isOwnerLive`, which is read once in a run: an object may get hundreds of sub CRs in one. */
function hasLiveOwner(req: ChildReq): Promise<boolean> {
  const known = OWNER_READS.get(req.object);
  if (known !== undefined) return known;
  const read = isOwnerLive(req);
  OWNER_READS.set(req.object, read);
  // A failed read is repeated for the next child. The caller handles the failure.
  read.catch(() => OWNER_READS.delete(req.object));
  return read;
}

function ownerDeleted({ object }: ChildReq, child: ObjectRef): Result<never> {
  const owner = refOf(object);
  return wait(`${describeRef(owner)} is deleted; ${describeRef(child)} is not created again`, { on: [owner] });
}

function wantedTwice(step: string, other: string, child: ObjectRef): Result<never> {
  return terminal(`steps ${other} and ${step} both create ${describeRef(child)}: give it another name in one of them`, {
    reason: "WantedTwice",
    on: [child],
  });
}

/** Reports whether a child has the owner as controller, by its reference or annotation. */
function isControlled(live: KubeObject, owner: KubeObject): boolean {
  return controllingOwnerUid(live) === owner.metadata.uid;
}

function refusalOf(owner: KubeObject, live: KubeObject, options: ApplyChildOptions): Result<never> | undefined {
  const manager = controllingOwnerUid(live);
  if (manager !== owner.metadata.uid && (manager !== undefined || !options.adopt)) return notOwnedResult(owner, live);
  if (!isDeleting(live)) return undefined;
  return wait(`${describeRef(refOf(live))} is being deleted; it is recreated once it is gone`, { on: [refOf(live)] });
}

/** Result if a foreign object has the child's name; the object is not touched. */
export function notOwnedResult(owner: KubeObject, live: KubeObject): Result<never> {
  const reason = `${describeRef(refOf(live))} already exists and does not belong to ${describeRef(refOf(owner))}`;
  return requeueAfter(reason, NOT_OURS_MS, { severity: "Error", reason: NOT_OURS, on: [refOf(live)] });
}

function isApplied({ applyCache }: ChildReq, kind: Kind, live: KubeObject, manifest: ChildManifest): boolean {
  const body = manifest.comparedTo(live);
  // Objects are JSON; their interfaces only lack the index signature.
  const there = live as unknown as JsonObject;
  // The hash of the applied fields is among the values, so that fields that are no longer desired are detected.
  return containsApplied(objectType(kind.schema), there, body) || applyCache.has(live, body);
}

/** Result of one attempt to apply a child. */
type SendResult<O> =
  | ApplyChildResult<O>
  /** Items of other writers were taken over: the child can be applied again. */
  | Extract<TakeOverResult<O>, { readonly kind: "taken" }>
  /** Another client changed the child at the same moment. */
  | { readonly kind: "changed"; readonly error: unknown };

/** Applies a child once. If the server refuses items of other writers in it, takes them over, unless it is not ours yet. */
async function send<C extends Kind>(
  req: ChildReq,
  kind: C,
  about: {
    readonly live: ObjectOf<C> | undefined;
    readonly isOurs: boolean;
    readonly manifest: ChildManifest;
  },
): Promise<SendResult<ObjectOf<C>>> {
  const { live, isOurs, manifest } = about;
  try {
    return { kind: "applied", ...(await request(req, kind, live, manifest)) };
  } catch (error) {
    if (isConflict(error)) return { kind: "changed", error };
    if (!isInvalid(error)) throw error;
    const { client, signal } = req;
    const { body } = manifest;
    const takeover =
      live !== undefined && isOurs
        ? await takeOverItems({ client, signal, kind, live, body, manager: client.fieldManager, error })
        : undefined;
    switch (takeover?.kind) {
      case "taken":
        return takeover;
      case "changed":
        return { kind: "changed", error };
      default:
        return { kind: "refused", result: terminal(error, { on: [refTo(kind, manifest.key)] }) };
    }
  }
}

async function request<C extends Kind>(
  req: ChildReq,
  kind: C,
  live: ObjectOf<C> | undefined,
  manifest: ChildManifest,
): Promise<{ readonly object: ObjectOf<C>; readonly changed: boolean }> {
  const { body, key } = manifest;
  const version =
    live === undefined
      ? { resourceVersion: UNMATCHED_RESOURCE_VERSION }
      : { uid: live.metadata.uid, resourceVersion: live.metadata.resourceVersion };
  const metadata = { ...body.metadata, ...version };
  // The manifest was built from an object of this kind.
  const applied = { ...body, metadata } as unknown as ApplyConfiguration<C>;
  const object = await req.client.apply(kind, applied, { force: true, signal: req.signal });
  const { resourceVersion } = object.metadata;
  const changed = resourceVersion !== live?.metadata.resourceVersion;
  if (!containsApplied(objectType(kind.schema), object as unknown as JsonObject, body))
    req.applyCache.add(object, body);
  // Prefer the cached object if it has this version already, because later runs use it.
  const copy = req.get(kind, key);
  return { object: copy?.metadata.resourceVersion === resourceVersion ? copy : object, changed };
}
