import { builtIn } from "../field-builders.ts";
import { objectReference } from "./reference.ts";

/** Assigns a pod to a node. */
export const Binding = builtIn({
  group: "",
  version: "v1",
  kind: "Binding",
  description: "Binds a pod to a node.",
  fields: { target: objectReference.describe("The node.") },
});
