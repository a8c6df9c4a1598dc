import type { AnyCustomKind, Kind } from "@levelset/core";
import type { Step } from "../../engine/index.ts";
import { creatingStepOf } from "./child-manifest.ts";

/**
 * Returns the declaration of a step's child kind. With `protect` the engine protects only the children of this step.
 */
export function childKinds<K extends AnyCustomKind>(
  step: string,
  kind: Kind,
  protect: boolean,
): Pick<Step<K>, "owns" | "protects" | "isProtected"> {
  return protect ? { protects: [kind], isProtected: (child) => creatingStepOf(child) === step } : { owns: [kind] };
}
