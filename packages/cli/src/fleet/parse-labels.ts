import { InputError } from "@levelset/core";

/** Labels to set, and keys to remove. */
export interface LabelChange {
  readonly set: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
}

/** Parses `a=b` (set) and `a-` (remove). */
export function parseLabels(args: readonly string[]): LabelChange {
  const set: [string, string][] = [];
  const removed: string[] = [];
  for (const word of args.flatMap((each) => each.split(","))) {
    const [, key = "", value] = /^([^=]+?)(?:=(.*)|-)$/u.exec(word) ?? [];
    if (key === "")
      throw new InputError(`${JSON.stringify(word)} is not a label`, { hint: "write KEY=VALUE, or KEY- to remove it" });
    if (value === undefined) removed.push(key);
    else set.push([key, value]);
  }
  return { set: Object.fromEntries(set), removed };
}

/** Converts selectors such as `a=b,c!=d` to the fleet's search language; undefined if there are none. */
export function selectorSearch(selectors: readonly string[]): string | undefined {
  const terms = selectors
    .flatMap((selector) => selector.split(","))
    .map((term) => {
      const [, key = "", operator, value = ""] = /^([^=!]+)(==|!=|=)(.*)$/u.exec(term.trim()) ?? [];
      if (key === "")
        throw new InputError(`${JSON.stringify(term)} is not a selector`, {
          hint: "write KEY=VALUE or KEY!=VALUE, joined by commas",
        });
      const literal = `'${value.replaceAll("'", "''")}'`;
      // `!=` also matches resources without the label (docs: Labels and Selectors).
      return operator === "!="
        ? `(labels.${key} != ${literal} or labels.${key} is null)`
        : `labels.${key} = ${literal}`;
    });
  return terms.length === 0 ? undefined : terms.join(" and ");
}

/** Combines search expressions with `and`. */
export function andSearch(searches: readonly (string | undefined)[]): string | undefined {
  const given = searches.filter((search) => search !== undefined && search.trim() !== "");
  return given.length > 1 ? given.map((search) => `(${search})`).join(" and ") : given[0];
}
