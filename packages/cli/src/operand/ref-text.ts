import type { LiveRef } from "@levelset/operator/internal";
import { escapeControlChars } from "../terminal/index.ts";

/** Formats the namespace and name of an object: `shop/web`, or `web` without a namespace. */
export function namespacedName({ namespace, name }: LiveRef): string {
  return escapeControlChars(namespace === undefined ? name : `${namespace}/${name}`);
}

/** Formats an object reference: `Deployment shop/web`. */
export function refText(ref: LiveRef): string {
  return `${escapeControlChars(ref.kind)} ${namespacedName(ref)}`;
}
