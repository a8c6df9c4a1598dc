import { Binding } from "@levelset/core";
import type { Resource } from "../../resource/index.ts";
import { builtinResource } from "../../resource/index.ts";

/** Bindings of pods to nodes. */
export const bindingResource: Resource = builtinResource({
  kind: Binding,
  virtualCreate: { kind: "binding" },
});
