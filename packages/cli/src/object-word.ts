import { InputError } from "@levelset/core";
import type { Kind, ObjectKey } from "@levelset/core";

/** An object as somebody names it on a command line. */
export interface ObjectWord {
  /** The kind by any of its names; see `kindNamed`. */
  readonly kind: string;
  readonly name: string;
}

/** Reads `KIND/NAME`, or `KIND NAME` in two words. */
export function parseObjectWord(words: readonly string[]): ObjectWord {
  const [kind = "", name = "", ...rest] = words.length === 1 ? (words[0] ?? "").split("/") : words;
  const isWhole = kind !== "" && name !== "" && rest.length === 0 && !`${kind}${name}`.includes("/");
  if (isWhole) return { kind, name };
  throw new InputError(`${JSON.stringify(words.join(" "))} does not name an object`, {
    hint: "write KIND/NAME, such as deployment/shop, and the namespace with -n",
  });
}

/** Reads several objects: `KIND/NAME…`, or `KIND NAME…`. */
export function parseObjectWords(words: readonly string[]): readonly ObjectWord[] {
  const [kind = "", ...names] = words;
  if (words.length === 1 || words.some((word) => word.includes("/")))
    return words.map((word) => parseObjectWord([word]));
  return names.map((name) => parseObjectWord([kind, name]));
}

/** The key of an object by its name: in a namespace if its kind has them there. */
export function keyIn({ scope }: Pick<Kind, "scope">, name: string, namespace: string): ObjectKey {
  return scope === "Namespaced" ? { namespace, name } : { name };
}
