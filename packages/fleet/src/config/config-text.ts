import { originText } from "./origin.ts";
import type { FoundSetting } from "./origin.ts";

/** The settings as lines: each with its value and where it is from. Secrets are not among them. Without `all`, only those with a value. */
export function configText(settings: readonly FoundSetting[], { all }: { readonly all: boolean }): string {
  const rows = settings
    .filter(({ shown }) => all || shown !== undefined)
    .map(({ path, shown, origin, about }) => ({ path, value: shown ?? "-", origin: originText(origin), about }));
  const width = (of: "path" | "value" | "origin"): number => Math.max(0, ...rows.map((row) => row[of].length));
  const [paths, values, origins] = [width("path"), width("value"), width("origin")];
  return rows
    .map(({ path, value, origin, about }) => {
      const told = `${path.padEnd(paths)}  ${value.padEnd(values)}  ${all ? origin.padEnd(origins) : origin}`;
      return `${all ? `${told}  ${about}` : told}\n`;
    })
    .join("");
}
