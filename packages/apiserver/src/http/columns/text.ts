import {
  formatLabelSelector,
  formatQuantity,
  isQuantity,
  labelSelectorFromObject,
  parseQuantity,
  SelectorError,
} from "@levelset/core";
import type { LabelSelectorObject } from "@levelset/core";

/** What stands in a cell that has nothing to show. */
export const NONE = "<none>";
export const UNSET = "<unset>";
export const UNKNOWN = "<unknown>";

/** Labels as `a=b,c=d`. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return pairs.length === 0 ? NONE : pairs.map(([key, value]) => `${key}=${value}`).join(",");
}

/** A selector in its text form; empty for one that selects everything or nothing. */
export function selectorText(selector: LabelSelectorObject | undefined, invalid: string): string {
  if (selector === undefined) return "";
  try {
    return formatLabelSelector(labelSelectorFromObject(selector));
  } catch (error) {
    if (error instanceof SelectorError) return invalid;
    throw error;
  }
}

/** The same for a cell that is never empty. */
export function shownSelector(selector: LabelSelectorObject | undefined): string {
  const text = selectorText(selector, "<error>");
  return text === "" ? NONE : text;
}

/** Names and images of containers: two cells. */
export function containersText(
  containers: readonly { readonly name: string; readonly image?: string | undefined }[] | undefined,
): readonly [names: string, images: string] {
  const all = containers ?? [];
  return [all.map(({ name }) => name).join(","), all.map(({ image }) => image ?? "").join(",")];
}

/** The first `max` of a list, and how many are left. */
export function firstOf(list: readonly string[], max: number, separator = ","): string {
  const shown = list.slice(0, max).join(separator);
  return list.length > max ? `${shown} + ${list.length - max} more...` : shown;
}

/** A quantity in its canonical form; `0` where there is none. */
export function quantityText(quantity: number | string | undefined): string {
  const text = String(quantity ?? 0);
  return isQuantity(text) ? formatQuantity(parseQuantity(text)) : text;
}

/** Addresses of a load balancer, each once, in order. */
export function balancerText(
  status:
    | { readonly ingress?: readonly { readonly ip?: string | undefined; readonly hostname?: string | undefined }[] }
    | undefined,
): string {
  const addresses = (status?.ingress ?? []).map(({ ip = "", hostname = "" }) => (ip === "" ? hostname : ip));
  return [...new Set(addresses.filter((address) => address !== ""))].toSorted().join(",");
}
