import { Scale } from "@levelset/core";
import type { Kind } from "@levelset/core";
import type { FieldError } from "@levelset/core/schema";
import type { FieldPattern } from "@levelset/core/apply";
import type { ApiObject } from "../store/index.ts";
import type { UnvalidatedObject } from "./unvalidated-object.ts";

/** API verbs, as in discovery. */
export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

/** A subresource, as in discovery. */
export interface SubresourceInfo {
  /** Last segment of the path. */
  readonly name: SubresourceName;
  /** Kind of the request and response bodies. Default: the kind of the object. */
  readonly body?: Kind;
  readonly verbs: readonly Verb[];
  /** Absent if a write uses the strategy of the kind, as for `status`, or if the body is an object of another kind. */
  readonly strategy?: SubresourceStrategy;
}

/** Subresources that write fields of the object. */
export type WritableSubresource = "status" | "scale" | "ephemeralcontainers" | "resize" | "finalize";

/** Names of all subresources. `http/subresource.ts` handles each. */
export type SubresourceName = WritableSubresource | "binding" | "eviction" | "token" | "log";

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
export function wholeObjectSubresource(name: WritableSubresource, strategy?: SubresourceStrategy): SubresourceInfo {
  return { name, verbs: READ_WRITE, ...(strategy === undefined ? {} : { strategy }) };
}

/** The scale subresource. */
export const SCALE_SUBRESOURCE: SubresourceInfo = { name: "scale", body: Scale, verbs: READ_WRITE };
