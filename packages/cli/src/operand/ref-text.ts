import type { LiveRef } from "@levelset/operator";
import { printable } from "../paint.ts";

/** Where an object is, in one word: `shop/web`, or `web` where there is no namespace. */
export function placeOf({ namespace, name }: LiveRef): string {
  return printable(namespace === undefined ? name : `${namespace}/${name}`);
}

/** An object in two words: `Deployment shop/web`. */
export function refText(ref: LiveRef): string {
  return `${printable(ref.kind)} ${placeOf(ref)}`;
}
