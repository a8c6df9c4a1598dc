import type { WireResource } from "@levelset/fleet/client";
import { jsonText } from "../terminal/index.ts";
import { formatYaml } from "../yaml/index.ts";
import { formatResourceArg } from "./resource-arg.ts";

/** Output formats of fleet resources. */
export type OutputFormat = "table" | "json" | "yaml" | "name";

/** Formats resources for programs. A single resource requested by name is printed alone, others as a list. */
export function formatResources(
  resources: readonly WireResource[],
  { output, isOne }: { readonly output: Exclude<OutputFormat, "table">; readonly isOne: boolean },
): string {
  if (output === "name") return resources.map((resource) => `${formatResourceArg(resource)}\n`).join("");
  const [only] = resources;
  const data = isOne && only !== undefined && resources.length === 1 ? only : { items: resources };
  return output === "json" ? jsonText(data) : formatYaml([data]);
}
