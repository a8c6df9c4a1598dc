import { containsApplied, isConflict, isDeleting, isInvalid, managerUid, objectType } from "@levelset/core";
import type { JsonObject, Kind, KubeObject, NewOf, ObjectOf } from "@levelset/core";
import { liveObject, NO_VERSION, SettledObjects } from "../apply/index.ts";
import type { Contest } from "../apply/index.ts";
import type { Applied } from "../client/index.ts";
import { contestResult, describeRef, refOf, refTo, requeueAfter, terminal, wait } from "../step/index.ts";
import type { ObjectRef, Result } from "../step/index.ts";
import { childManifest } from "./child-manifest.ts";
import type { ChildManifest, ChildOptions } from "./child-manifest.ts";
import { ATTEMPTS_MAX } from "./child-req.ts";
import type { ChildReq } from "./child-req.ts";

/** How a child is applied. */
export interface ApplyChildOptions extends ChildOptions {
  /** Whether an object that belongs to nobody and is there already is taken over. */
  readonly adopt: boolean;
}

/** What came of it. */
export type AppliedChild<O> =
  | { readonly kind: "applied"; readonly object: O; readonly changed: boolean }
  | { readonly kind: "refused"; readonly result: Result<never> };

/** How often a foreign object in our place is looked at again: it may lose its name without our hearing of it. */
const NOT_OURS_MS = 30_000;

/** For the whole process: entries are about states of children and hold for whoever meets one again. */
const settled = new SettledObjects(10_000);

/**
 * Brings one child to what is desired by server-side apply, if it is not so already.
 *
 * Sends nothing when the fields applied last are those desired now and the child has all their values. Creates only where nothing is,
 * and changes only the very version that was seen to be ours: a foreign object is neither overwritten nor taken over, also when
 * it appears at the last moment. A child that is being deleted is waited for. One that an earlier step makes too is left to that.
 */
export async function applyChild<C extends Kind>(
  req: ChildReq,
  kind: C,
  desired: NewOf<C>,
  options: ApplyChildOptions,
): Promise<AppliedChild<ObjectOf<C>>> {
  const manifest = childManifest(req.object, kind, desired, options);
  if (manifest.kind === "bad") return { kind: "refused", result: terminal(manifest.problem) };
  const other = req.claim(kind, manifest.key);
  if (other !== undefined)
    return { kind: "refused", result: wantedTwice(options.step, other, refTo(kind, manifest.key)) };
  const contention = req.contention(kind, manifest.key, manifest.body);
  let live = req.get(kind, manifest.key);
  let isCopy = true;
  for (let attempt = 1; ; attempt++) {
    const refusal = live === undefined ? undefined : refusalOf(req.object, live, options);
    if (refusal !== undefined) return { kind: "refused", result: refusal };
    if (live !== undefined && isApplied(kind, live, manifest)) {
      contention.seen();
      return { kind: "applied", object: live, changed: false };
    }
    const contest = contention.hold();
    if (contest !== undefined) return held(live, contest, refTo(kind, manifest.key));
    // Copies have no managedFields.
    if (!(isCopy && contention.needsManagers)) {
      try {
        const { object, changed } = await send(req, kind, live, manifest);
        contention.wrote(live, object);
        return { kind: "applied", object, changed };
      } catch (error) {
        if (isInvalid(error)) return { kind: "refused", result: terminal(error, { on: [refTo(kind, manifest.key)] }) };
        if (!isConflict(error) || attempt >= ATTEMPTS_MAX) throw error;
      }
    }
    live = await liveObject(req, kind, manifest.key);
    isCopy = false;
  }
}

/** A contested child that must not be written yet: later steps go on with what is there, and cannot without anything. */
function held<O>(live: O | undefined, contest: Contest, ref: ObjectRef): AppliedChild<O> {
  if (live === undefined) return { kind: "refused", result: contestResult(ref, contest) };
  return { kind: "applied", object: live, changed: false };
}

function wantedTwice(step: string, other: string, child: ObjectRef): Result<never> {
  return terminal(`steps ${other} and ${step} both make ${describeRef(child)}: give one of them another name`, {
    reason: "WantedTwice",
    on: [child],
  });
}

function refusalOf(owner: KubeObject, live: KubeObject, options: ApplyChildOptions): Result<never> | undefined {
  const manager = managerUid(live);
  if (manager !== owner.metadata.uid && (manager !== undefined || !options.adopt)) return notOurs(owner, live);
  if (!isDeleting(live)) return undefined;
  return wait(`${describeRef(refOf(live))} is being deleted; it is made anew when it is gone`, { on: [refOf(live)] });
}

/** That something stands where a child belongs, and is left as it is. */
export function notOurs(owner: KubeObject, live: KubeObject): Result<never> {
  const reason = `${describeRef(refOf(live))} is there already and does not belong to ${describeRef(refOf(owner))}`;
  return requeueAfter(reason, NOT_OURS_MS, { severity: "Error", reason: "NotOurs", on: [refOf(live)] });
}

function isApplied(kind: Kind, live: KubeObject, { body }: ChildManifest): boolean {
  // Objects are JSON; interfaces only lack the index signature.
  const there = live as unknown as JsonObject;
  // The hash of the applied fields is among the values, so fields that are no longer desired are noticed.
  return containsApplied(objectType(kind.schema), there, body) || settled.has(live, body);
}

async function send<C extends Kind>(
  req: ChildReq,
  kind: C,
  live: ObjectOf<C> | undefined,
  manifest: ChildManifest,
): Promise<{ readonly object: ObjectOf<C>; readonly changed: boolean }> {
  const { body, key } = manifest;
  const version =
    live === undefined
      ? { resourceVersion: NO_VERSION }
      : { uid: live.metadata.uid, resourceVersion: live.metadata.resourceVersion };
  const metadata = { ...body.metadata, ...version };
  // The manifest was made from an object of this kind.
  const applied = { ...body, metadata } as unknown as Applied<C>;
  const object = await req.client.apply(kind, applied, { force: true, signal: req.signal });
  const { resourceVersion } = object.metadata;
  const changed = resourceVersion !== live?.metadata.resourceVersion;
  if (!containsApplied(objectType(kind.schema), object as unknown as JsonObject, body)) settled.add(object, body);
  // The local copy has it already, as later runs will see it.
  const copy = req.get(kind, key);
  return { object: copy?.metadata.resourceVersion === resourceVersion ? copy : object, changed };
}
