import { isConflict, isNotFound, objectKeyOf } from "@levelset/core";
import { createMergePatch } from "@levelset/core/apply";
import type { JsonObject, Kind, KubeObject, ObjectOf } from "@levelset/core";
import { liveObject } from "../../apply/index.ts";
import type { ClientContext } from "../../apply/index.ts";
import { metadataOnly } from "../../client/index.ts";
import type { Client } from "../../client/index.ts";
import { ignoredPointers } from "../spec/ignore-rules.ts";
import type { ManifestItem } from "../spec/item.ts";
import { INHERITED, isInherited, operandsOf, partLabel } from "../spec/labels-and-annotations.ts";
import { Operand } from "../spec/operand-kinds.ts";
import type { ApplyBody } from "./apply-body.ts";
import { failReasonOf } from "./apply-error.ts";
import { pathOfPointer, removePaths } from "./field-removal.ts";
import { formerFields, isTakenOver, ownersOf, removedFields } from "./former-fields.ts";
import type { FormerFields, NewManager } from "./former-fields.ts";

const OperandMeta = metadataOnly(Operand);
const PAGE = 500;

/** Options of {@link FieldAdopter}. */
export interface FieldAdopterOptions extends ClientContext {
  readonly operand: ObjectOf<Operand>;
  /** For Operands; `client` is for the objects of the set. */
  readonly operandClient: Client;
  /** Sends dry-run requests only. */
  readonly dryRun?: boolean;
}

/** Applies an object as a dry run, with further metadata that depends on the body. */
export type DryRunApply = (version: (body: ApplyBody) => JsonObject) => Promise<KubeObject>;

/** Result of taking over the fields of former managers. */
export type FieldAdoption =
  /** The object can be applied: there are no such fields, or the Operand owns them now. */
  | { readonly kind: "done" }
  /** Another client changed the object at the same moment. */
  | { readonly kind: "changed" }
  /** Dry runs only: the object as it is once the fields are taken over and the object is applied. */
  | { readonly kind: "expected"; readonly object: KubeObject };

/**
 * Takes over the fields of former managers when an object is adopted or handed over, so that the apply that follows
 * removes the fields that are no longer desired. The takeover changes only managedFields, in the version that was read.
 * A crash between the two writes is harmless: the object does not have the Operand's label yet, so that the next run
 * takes over what is left and applies it.
 */
export class FieldAdopter {
  readonly #options: FieldAdopterOptions;
  #existing: Promise<ReadonlySet<string>> | undefined;

  constructor(options: FieldAdopterOptions) {
    this.#options = options;
  }

  /**
   * Takes over an object before it is applied. `apply` sends the apply request of the object as a dry run. Rejects with
   * the error of the server if the resulting object is invalid; nothing is written then.
   */
  async adopt(item: ManifestItem, kind: Kind, copy: KubeObject, apply: DryRunApply): Promise<FieldAdoption> {
    const { operand, dryRun = false } = this.#options;
    const isKeeping = (item.adoptedFields ?? operand.spec.adoptedFields) === "Keep";
    if (isKeeping || !isTakenOver(copy, operand.metadata.uid)) return DONE;
    const live = await this.#withManagers(kind, copy);
    if (live === undefined) return { kind: "changed" };
    const about = await this.#newManager(item, live);
    const former = formerFields(live, about);
    if (former === undefined) return DONE;
    const expected = await this.#expected(kind, live, former, { about, apply });
    if (dryRun) return expected === undefined ? DONE : { kind: "expected", object: expected };
    return this.#take(kind, live, former);
  }

  /** Returns the object with managedFields, which cached objects do not have; undefined if it is another one. */
  async #withManagers(kind: Kind, copy: KubeObject): Promise<KubeObject | undefined> {
    if (copy.metadata.managedFields !== undefined) return copy;
    const live = await liveObject(this.#options, kind, objectKeyOf(copy));
    return live?.metadata.uid === copy.metadata.uid ? live : undefined;
  }

  async #newManager({ ref, object }: ManifestItem, live: KubeObject): Promise<NewManager> {
    const { operand } = this.#options;
    const operandUid = operand.metadata.uid;
    const others = operandsOf(live).filter((uid) => uid !== operandUid);
    const existing = others.length === 0 ? new Set<string>() : await this.#existingOperands();
    const gone = new Set(others.filter((uid) => !existing.has(uid)));
    const pointers = ignoredPointers(ref, operand.spec.drift.ignore);
    const sets = pointers.length === 0 ? [] : [...ownersOf(live).values()].map(({ fields }) => fields);
    // Objects are JSON; their interfaces only lack the index signature.
    const ignored = pointers.map((pointer) => pathOfPointer(live as unknown as JsonObject, pointer, sets));
    return { operandUid, apiVersion: object.apiVersion, gone, ignored };
  }

  /** Returns the uids of all Operands. An Operand of which an object has the label was created before this read. */
  async #existingOperands(): Promise<ReadonlySet<string>> {
    this.#existing ??= this.#listOperands();
    return this.#existing;
  }

  async #listOperands(): Promise<ReadonlySet<string>> {
    const { operandClient, signal } = this.#options;
    const uids = new Set<string>();
    for await (const { items } of operandClient.pages(OperandMeta, { limit: PAGE, signal })) {
      for (const { metadata } of items) uids.add(metadata.uid);
    }
    return uids;
  }

  /**
   * Returns the object as the server stores it in the end, from two dry runs: the apply, and the removal of the fields
   * that only former managers set. Without such fields the result of the apply is complete. Undefined if a webhook does not
   * support dry runs: the object is then applied without this check.
   */
  async #expected(
    kind: Kind,
    live: KubeObject,
    former: FormerFields,
    { about, apply }: { readonly about: NewManager; readonly apply: DryRunApply },
  ): Promise<KubeObject | undefined> {
    const { client, signal, dryRun = false } = this.#options;
    try {
      const applied = await apply((body) => this.#version(body, live));
      const { removed, kept } = removedFields(live, applied, former, about);
      if (removed.isEmpty) return applied;
      const patch = createMergePatch(contentOf(live), removePaths(contentOf(applied), removed, kept)) ?? {};
      const { uid } = live.metadata;
      const body = { ...patch, metadata: { ...(patch["metadata"] as JsonObject | undefined), uid } };
      return await client.mergePatch(kind, objectKeyOf(live), body, { dryRun: true, signal });
    } catch (error) {
      if (dryRun || failReasonOf(error, { dryRun: true }) !== "NoDryRun") throw error;
      return undefined;
    }
  }

  /** Names the object, with the label as it is: the operator set it, and its change is no conflict. */
  #version({ metadata }: ApplyBody, live: KubeObject): JsonObject {
    const { uid: operandUid } = this.#options.operand.metadata;
    const { uid } = live.metadata;
    if (!isInherited(live, operandUid)) return { uid };
    return { uid, labels: { ...(metadata["labels"] as JsonObject), [partLabel(operandUid)]: INHERITED } };
  }

  /** Moves the fields to the Operand's manager. */
  async #take(kind: Kind, live: KubeObject, { managedFields }: FormerFields): Promise<FieldAdoption> {
    const { client, signal } = this.#options;
    const { uid, resourceVersion } = live.metadata;
    const patch = { metadata: { uid, resourceVersion, managedFields } };
    try {
      await client.mergePatch(kind, objectKeyOf(live), patch, { signal });
      return DONE;
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return { kind: "changed" };
      throw error;
    }
  }
}

const DONE: FieldAdoption = { kind: "done" };

/** Returns the fields that clients set. */
function contentOf(object: KubeObject): JsonObject {
  const { managedFields: _fields, resourceVersion: _version, generation: _generation, ...metadata } = object.metadata;
  return { ...(object as unknown as JsonObject), metadata: metadata as unknown as JsonObject };
}
