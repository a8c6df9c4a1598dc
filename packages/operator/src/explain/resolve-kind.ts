import { InputError } from "@levelset/core";
import type { Kind } from "@levelset/core";

/** The names of a kind. */
export type KindNames = Pick<Kind, "group" | "version" | "kind" | "plural" | "singular" | "shortNames">;

/**
 * Resolves a kind argument as kubectl does (`ParseResourceArg` in
 * k8s.io/apimachinery/pkg/runtime/schema/group_version.go): `deployment`, `deployments`, `deploy`, `Deployment`, with a
 * group as in `deployments.apps`, or with version and group as in `deployments.v1.apps`. Throws an `InputError` for an
 * unknown kind, and if several groups have the kind and none of them is built in.
 */
export function resolveKind<K extends KindNames>(word: string, kinds: readonly K[]): K {
  const found = kinds.filter((kind) => isNamed(word.toLowerCase(), kind));
  const [first, ...others] = found;
  if (first === undefined) throw unknownKind(word, kinds);
  if (others.length === 0) return first;
  const own = found.find(({ group }) => !group.includes("."));
  if (own !== undefined) return own;
  throw new InputError(`${JSON.stringify(word)} matches several kinds`, {
    hint: `use one of ${found.map(fullName).join(", ")}`,
  });
}

function isNamed(word: string, kind: KindNames): boolean {
  const names = [kind.plural, kind.singular, kind.kind.toLowerCase(), ...kind.shortNames];
  const { group, version } = kind;
  return names.some((name) => {
    if (word === name) return true;
    return group !== "" && (word === `${name}.${group}` || word === `${name}.${version}.${group}`);
  });
}

function unknownKind(word: string, kinds: readonly KindNames[]): InputError {
  const close = kinds.filter((kind) => isClose(word.toLowerCase(), kind)).map(fullName);
  const hint =
    close.length === 0 ? "kubectl api-resources lists the kinds" : `did you mean ${close.slice(0, 3).join(" or ")}?`;
  return new InputError(`there is no kind ${JSON.stringify(word)}`, { hint });
}

/** Returns whether a word is a prefix of the name of a kind, or one edit away from it. */
function isClose(word: string, { singular, plural }: KindNames): boolean {
  return [singular, plural].some((name) => (word.length >= 3 && name.startsWith(word)) || isOneEditAway(word, name));
}

function isOneEditAway(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  const rest = short.length === long.length ? short.slice(at + 1) : short.slice(at);
  return rest === long.slice(at + 1);
}

function fullName({ singular, group }: KindNames): string {
  return group === "" ? singular : `${singular}.${group}`;
}
