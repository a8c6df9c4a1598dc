import type { JsonObject, JsonValue } from "@levelset/core";

/** One request of a case. Objects that a server answers with go into the next one, so that each server sees its own. */
export type Operation =
  | { readonly kind: "create"; readonly manager: string; readonly body: JsonObject }
  | {
      readonly kind: "apply";
      readonly manager: string;
      readonly force: boolean;
      readonly body: JsonObject;
      readonly subresource?: "status";
    }
  /** Merges a change into what the server has, and sends back the whole. */
  | {
      readonly kind: "update";
      readonly manager: string;
      readonly change: JsonObject;
      readonly subresource?: "status";
    }
  | {
      readonly kind: "patch";
      readonly manager: string;
      readonly type: PatchType;
      readonly patch: JsonValue;
      readonly subresource?: "status";
    }
  /** Anything, as it is; failures are compared to the letter. */
  | {
      readonly kind: "raw";
      readonly method: string;
      /** Goes on after the path of the object, or of the collection where it is a POST. */
      readonly suffix: string;
      readonly type: string;
      readonly body: JsonValue;
    };

/** The kinds of patch beside apply. */
export type PatchType = "json-patch" | "merge-patch" | "strategic-merge-patch";

/** What both servers are asked, in this order, about one object. */
export interface Case {
  readonly title: string;
  /** The path of its collection. */
  readonly collection: string;
  readonly name: string;
  readonly operations: readonly Operation[];
  /** The paths of the same collection in the versions of the requests, one for each; default: `collection` for all. */
  readonly collections?: readonly string[];
}
