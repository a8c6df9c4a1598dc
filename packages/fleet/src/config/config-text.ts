import { describeSettingSource } from "./setting-source.ts";
import type { ResolvedSetting } from "./setting-source.ts";

/** Formats the settings as lines with value and source, without secrets. Without `all`, only those with a value. */
export function configText(settings: readonly ResolvedSetting[], { all }: { readonly all: boolean }): string {
  const rows = settings
    .filter(({ displayValue }) => all || displayValue !== undefined)
    .map(({ path, displayValue, source, about }) => ({
      path,
      value: displayValue ?? "-",
      origin: describeSettingSource(source),
      about,
    }));
  const width = (of: "path" | "value" | "origin"): number => Math.max(0, ...rows.map((row) => row[of].length));
  const [paths, values, origins] = [width("path"), width("value"), width("origin")];
  return rows
    .map(({ path, value, origin, about }) => {
      const line = `${path.padEnd(paths)}  ${value.padEnd(values)}  ${all ? origin.padEnd(origins) : origin}`;
      return `${all ? `${line}  ${about}` : line}\n`;
    })
    .join("");
}
