import { InputError } from "@levelset/core";
import type { Kind, ObjectKey } from "@levelset/core";

/** An object argument of a command. */
export interface ObjectArg {
  /** Any name of the kind; see `resolveKind`. */
  readonly kind: string;
  readonly name: string;
}

/** Parses `KIND/NAME`, or `KIND NAME` as two arguments. */
export function parseObjectArg(args: readonly string[]): ObjectArg {
  const [kind = "", name = "", ...rest] = args.length === 1 ? (args[0] ?? "").split("/") : args;
  const isComplete = kind !== "" && name !== "" && rest.length === 0 && !`${kind}${name}`.includes("/");
  if (isComplete) return { kind, name };
  throw new InputError(`${JSON.stringify(args.join(" "))} does not name an object`, {
    hint: "write KIND/NAME, e.g. deployment/shop, and the namespace with -n",
  });
}

/** Parses several objects: `KIND/NAME…` or `KIND NAME…`. */
export function parseObjectArgs(args: readonly string[]): readonly ObjectArg[] {
  const [kind = "", ...names] = args;
  if (args.length === 1 || args.some((arg) => arg.includes("/"))) return args.map((arg) => parseObjectArg([arg]));
  return names.map((name) => parseObjectArg([kind, name]));
}

/** Returns the key of an object, with the namespace only for namespaced kinds. */
export function objectKeyIn({ scope }: Pick<Kind, "scope">, name: string, namespace: string): ObjectKey {
  return scope === "Namespaced" ? { namespace, name } : { name };
}
