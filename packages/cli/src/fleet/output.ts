import type { WireResource } from "@levelset/fleet/client";
import { Option } from "commander";
import { jsonText } from "../json-text.ts";
import { formatYaml } from "../yaml.ts";
import { resourceWord } from "./resource-word.ts";

/** How resources are printed. */
export type Output = "table" | "json" | "yaml" | "name";

/** The flag that says how. */
export function outputOption(choices: readonly Output[], otherwise: Output): Option {
  return new Option("-o, --output <format>", "how to answer").choices(choices).default(otherwise);
}

/** Resources for programs. One that was asked for by name stands alone, others in a list. */
export function dataText(
  resources: readonly WireResource[],
  { output, isOne }: { readonly output: Exclude<Output, "table">; readonly isOne: boolean },
): string {
  if (output === "name") return resources.map((resource) => `${resourceWord(resource)}\n`).join("");
  const [only] = resources;
  const data = isOne && only !== undefined && resources.length === 1 ? only : { items: resources };
  return output === "json" ? jsonText(data) : formatYaml([data]);
}
