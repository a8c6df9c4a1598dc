import type { JsonObject, JsonValue } from "@levelset/core";

/** One request of a case. Objects in responses are the base of later requests, so that each server gets its own. */
export type CaseOperation =
  | { readonly kind: "create"; readonly manager: string; readonly body: JsonObject }
  | {
      readonly kind: "apply";
      readonly manager: string;
      readonly force: boolean;
      readonly body: JsonObject;
      readonly subresource?: "status";
    }
  /** Merges a change into the stored object and sends the whole object. */
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
  /** Any request as is; errors are compared literally. */
  | {
      readonly kind: "raw";
      readonly method: string;
      /** Appended to the path of the object, or of the collection for a POST. */
      readonly suffix: string;
      readonly type: string;
      readonly body: JsonValue;
    };

/** Patch types other than apply. */
export type PatchType = "json-patch" | "merge-patch" | "strategic-merge-patch";

/** Requests about one object, sent to both servers in this order. */
export interface Case {
  readonly title: string;
  /** Path of the collection. */
  readonly collection: string;
  readonly name: string;
  readonly operations: readonly CaseOperation[];
  /** Paths of the same collection in the versions of the requests, one each; default: `collection`. */
  readonly collections?: readonly string[];
}
