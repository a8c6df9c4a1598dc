import {
  formatLabelSelector,
  formatQuantity,
  isQuantity,
  labelSelectorFromObject,
  parseQuantity,
  SelectorError,
} from "@levelset/core/schema";
import type { LabelSelectorObject } from "@levelset/core/schema";

/** Text of cells without a value. */
export const NONE_CELL = "<none>";

export const UNSET_CELL = "<unset>";

export const UNKNOWN_CELL = "<unknown>";

/** Formats labels as `a=b,c=d`. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return pairs.length === 0 ? NONE_CELL : pairs.map(([key, value]) => `${key}=${value}`).join(",");
}

/** Formats a selector; empty if it selects all or no objects. */
export function formatSelectorCell(selector: LabelSelectorObject | undefined, invalid: string): string {
  if (selector === undefined) return "";
  try {
    return formatLabelSelector(labelSelectorFromObject(selector));
  } catch (error) {
    if (error instanceof SelectorError) return invalid;
    throw error;
  }
}

/** Formats a selector as a cell that is never empty. */
export function selectorCell(selector: LabelSelectorObject | undefined): string {
  const text = formatSelectorCell(selector, "<error>");
  return text === "" ? NONE_CELL : text;
}

/** Returns the cells for container names and images. */
export function containersText(
  containers: readonly { readonly name: string; readonly image?: string | undefined }[] | undefined,
): readonly [names: string, images: string] {
  const all = containers ?? [];
  return [all.map(({ name }) => name).join(","), all.map(({ image }) => image ?? "").join(",")];
}

/** Joins the first `max` items and appends the number of the others. */
export function truncateList(list: readonly string[], max: number, separator = ","): string {
  const shown = list.slice(0, max).join(separator);
  return list.length > max ? `${shown} + ${list.length - max} more...` : shown;
}

/** Formats a quantity in its canonical form; `0` if it is missing. */
export function quantityText(quantity: number | string | undefined): string {
  const text = String(quantity ?? 0);
  return isQuantity(text) ? formatQuantity(parseQuantity(text)) : text;
}

/** Formats the distinct addresses of a load balancer in order. */
export function loadBalancerText(
  status:
    | { readonly ingress?: readonly { readonly ip?: string | undefined; readonly hostname?: string | undefined }[] }
    | undefined,
): string {
  const addresses = (status?.ingress ?? []).map(({ ip = "", hostname = "" }) => (ip === "" ? hostname : ip));
  return [...new Set(addresses.filter((address) => address !== ""))].toSorted().join(",");
}

/** Returns the name of a class, marked if it is the default. */
export function nameWithDefaultMark(
  metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> },
  annotations: readonly string[],
): string {
  const isDefault = annotations.some((annotation) => metadata.annotations?.[annotation] === "true");
  return isDefault ? `${metadata.name} (default)` : metadata.name;
}
