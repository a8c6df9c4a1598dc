import type { AnyCustomKind, Kind } from "@levelset/core";
import type { Step } from "../step/index.ts";
import { makerOf } from "./child-manifest.ts";

/** What a step declares of the kind of its children. With `protect` the engine holds those that this step made, and no others. */
export function childKinds<K extends AnyCustomKind>(
  step: string,
  kind: Kind,
  protect: boolean,
): Pick<Step<K>, "owns" | "protects" | "isProtected"> {
  return protect ? { protects: [kind], isProtected: (child) => makerOf(child) === step } : { owns: [kind] };
}
