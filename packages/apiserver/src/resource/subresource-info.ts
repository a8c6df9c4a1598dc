import type { FieldError } from "@levelset/core/schema";
import type { FieldPattern } from "@levelset/core/apply";
import type { ApiObject } from "../store/index.ts";
import type { UnvalidatedObject } from "./unvalidated-object.ts";

/** API verbs, as in discovery. */
export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

/** A subresource, as in discovery. */
export interface SubresourceInfo {
  /** Last segment of the path. */
  readonly name: string;
  /** Kind of the request and response bodies. */
  readonly kind: string;
  /** Group of that kind; absent if it is the group of the resource. */
  readonly group?: string;
  /** Version of that kind; set together with `group`. */
  readonly version?: string;
  readonly verbs: readonly Verb[];
  /** Absent if a write uses the strategy of the kind, as for `status`, or if the body is an object of another kind. */
  readonly strategy?: SubresourceStrategy;
}

/** Subresource of a write request; undefined for the object itself. */
export type SubresourceName = "status" | "scale" | "ephemeralcontainers" | "resize" | "finalize" | undefined;

/** Behaviour of a subresource: the changes that it allows, and its validation in addition to metadata. */
export interface SubresourceStrategy {
  merge(old: ApiObject, draft: UnvalidatedObject): ApiObject;
  errors?(next: ApiObject, old: ApiObject): readonly FieldError[];
  /** Fields that a manager can own through the subresource. Default: all but the status. */
  readonly fields?: FieldPattern;
}

/** Verbs of built-in resources. */
export const ALL_VERBS: readonly Verb[] = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
];

/** Verbs of custom resources, in the order of kube-apiserver's discovery. */
export const CUSTOM_VERBS: readonly Verb[] = [
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "create",
  "update",
  "watch",
];

const READ_WRITE: readonly Verb[] = ["get", "patch", "update"];

/** Returns a subresource whose body is the whole object. */
export function wholeObjectSubresource(kind: string, name: string, strategy?: SubresourceStrategy): SubresourceInfo {
  return { name, kind, verbs: READ_WRITE, ...(strategy === undefined ? {} : { strategy }) };
}

/** The scale subresource. */
export const SCALE_SUBRESOURCE: SubresourceInfo = {
  name: "scale",
  kind: "Scale",
  group: "autoscaling",
  version: "v1",
  verbs: READ_WRITE,
};
