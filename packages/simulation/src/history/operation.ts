import type { JsonObject, KubeObject } from "@levelset/core";

/** Identifies an object. */
export interface ObjectId {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string;
  readonly name: string;
}

/** The metadata of a manifest. A type, not an interface, so that it counts as JSON. */
export type ManifestMeta = {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
};

/** An object as a user writes it. */
export type Manifest = JsonObject & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ManifestMeta;
};

/** How a change of an object was drawn. */
export type ChangeKind = "valid" | "boundary" | "invalid" | "removed" | "restored" | "changed" | "version";

/** How a person edits a child. */
export type ChildEdit = "annotate" | "change-field";

/** What happens in the world of an operator that is no fault of the operator, its connection or the server. */
export type Action =
  /** A user creates an object: a custom resource or an input. */
  | { readonly do: "create"; readonly object: Manifest; readonly path?: string }
  /** Another client creates an object that resembles a child: its name or its labels are the same. */
  | { readonly do: "create-foreign"; readonly object: Manifest }
  /** A user replaces the fields of an object beside its metadata. */
  | {
      readonly do: "change";
      readonly object: Manifest;
      readonly how: ChangeKind;
      /** The field that was changed, for the coverage. */
      readonly path?: string;
    }
  | { readonly do: "delete"; readonly id: ObjectId }
  /** A person deletes a child. `pick` from 0 to 1 selects one of those that exist; `target` is the one that it selected. */
  | { readonly do: "delete-child"; readonly pick: number; readonly target?: ObjectId }
  | {
      readonly do: "edit-child";
      readonly pick: number;
      readonly edit: ChildEdit;
      readonly target?: ObjectId;
      /** The merge patch of a changed field, which the first run chooses. */
      readonly patch?: JsonObject;
    }
  /** All pods are deleted, as when a node is lost. */
  | { readonly do: "lose-pods" }
  /** The process is stopped and a new one starts. */
  | { readonly do: "restart" }
  /** No process runs for a time. */
  | { readonly do: "downtime"; readonly ms: number }
  /** The wall clock is stepped forward, or back if `ms` is negative. */
  | { readonly do: "step-clock"; readonly ms: number }
  /** Time passes. */
  | { readonly do: "pass-time" };

/** An action, and the time that passes after it. */
export type Operation = Action & { readonly afterMs: number };

/** What happens in one simulated world. */
export interface History {
  readonly operations: readonly Operation[];
}

/** Returns the identity of an object. */
export function idOf({ apiVersion, kind, metadata }: KubeObject | Manifest): ObjectId {
  const { namespace, name } = metadata;
  return { apiVersion, kind, ...(namespace === undefined || namespace === "" ? {} : { namespace }), name };
}

/** Formats an object identity: `Deployment default/a`. */
export function formatId({ kind, namespace, name }: Omit<ObjectId, "apiVersion">): string {
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

/** Returns a key that is equal for equal identities. */
export function idKey({ apiVersion, kind, namespace = "", name }: ObjectId): string {
  return `${apiVersion} ${kind} ${namespace}/${name}`;
}

/** Prefix of the annotations that the simulation writes as another client. */
export const MARK_PREFIX = "simulation.levelset.dev/";
