import type { LiveRef } from "@levelset/operator/internal";
import { escapeControlChars } from "../terminal/index.ts";

/** The parts of a reference that are shown. */
export type ShownRef = Pick<LiveRef, "kind" | "namespace" | "name">;

/** Formats the namespace and name of an object: `shop/web`, or `web` without a namespace. */
export function namespacedName({ namespace, name }: Omit<ShownRef, "kind">): string {
  return escapeControlChars(namespace === undefined ? name : `${namespace}/${name}`);
}

/** Formats an object reference: `Deployment shop/web`. */
export function refText(ref: ShownRef): string {
  return `${escapeControlChars(ref.kind)} ${namespacedName(ref)}`;
}
