import { DeclarationError } from "../error/index.ts";
import type { StructuralSchema } from "../schema/index.ts";
import { fieldAt, isPlainPath } from "./field-path.ts";

/** JSONPaths of the scale subresource. */
export interface ScalePaths {
  /** An integer below `.spec`. */
  readonly specReplicasPath: string;
  /** An integer below `.status`. */
  readonly statusReplicasPath: string;
  /** A string with a label selector below `.status` or `.spec`; autoscalers need it. */
  readonly labelSelectorPath?: string;
}

/** Throws a DeclarationError for paths to fields that are missing or of the wrong type. */
export function checkScale(schema: StructuralSchema, kind: string, scale: ScalePaths | undefined): void {
  if (scale === undefined) return;
  const check = (what: string, path: string, root: RegExp, type: "integer" | "string"): void => {
    if (!isPlainPath(path) || !root.test(path) || fieldAt(schema, path)?.type !== type) {
      throw new DeclarationError(`${kind}: scale.${what}: no ${type} field ${path} in the schema`);
    }
  };
  check("specReplicasPath", scale.specReplicasPath, /^\.spec\./u, "integer");
  check("statusReplicasPath", scale.statusReplicasPath, /^\.status\./u, "integer");
  if (scale.labelSelectorPath !== undefined) {
    check("labelSelectorPath", scale.labelSelectorPath, /^\.(spec|status)\./u, "string");
  }
}

/** Maximum number of selectable fields of a version (KEP-4358). */
const SELECTABLE_MAX = 8;

/** Throws a DeclarationError for paths that are not scalar fields, for duplicates, and for too many paths. */
export function checkSelectable(schema: StructuralSchema, kind: string, paths: readonly string[]): void {
  if (paths.length > SELECTABLE_MAX) {
    throw new DeclarationError(`${kind}: at most ${SELECTABLE_MAX} fields can be selectable, not ${paths.length}`);
  }
  for (const path of paths) {
    const type = isPlainPath(path) && !path.startsWith(".metadata.") ? fieldAt(schema, path)?.type : undefined;
    if (type !== "string" && type !== "integer" && type !== "boolean") {
      throw new DeclarationError(
        `${kind}: selectable: ${path} is not a string, integer or boolean field of spec or status`,
      );
    }
    if (paths.indexOf(path) !== paths.lastIndexOf(path))
      throw new DeclarationError(`${kind}: selectable: ${path} is listed twice`);
  }
}
