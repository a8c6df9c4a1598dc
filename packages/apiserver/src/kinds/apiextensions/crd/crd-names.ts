import type { CrdNames } from "@levelset/core/internal";
import type { FieldError } from "@levelset/core/schema";
import { deepEqual } from "@levelset/core/internal";
import { invalidField, requiredField, dns1035Problems } from "../../../resource/index.ts";
import type { Crd } from "../../../resource/index.ts";

/** Decoded, unvalidated names of a CustomResourceDefinition. */
export type UnvalidatedNames = Partial<CrdNames>;

/** Validates the names of a CustomResourceDefinition. */
export function* namesErrors(path: string, names: UnvalidatedNames): Generator<FieldError, void> {
  for (const field of ["plural", "singular", "kind", "listKind"] as const) {
    if ((names[field] ?? "") === "") yield requiredField(`${path}.${field}`);
  }
  yield* nameErrors(`${path}.plural`, names.plural ?? "", "lower");
  yield* nameErrors(`${path}.singular`, names.singular ?? "", "lower");
  yield* nameErrors(`${path}.kind`, names.kind ?? "", "mixed");
  yield* nameErrors(`${path}.listKind`, names.listKind ?? "", "mixed");
  for (const [index, name] of (names.shortNames ?? []).entries()) {
    yield* labelErrors(`${path}.shortNames[${index}]`, name);
  }
  const { kind = "", listKind = "" } = names;
  if (kind !== "" && kind === listKind) {
    yield invalidField(`${path}.listKind`, listKind, "kind and listKind may not be the same");
  }
  for (const [index, name] of (names.categories ?? []).entries()) {
    yield* labelErrors(`${path}.categories[${index}]`, name);
  }
}

function* nameErrors(path: string, name: string, deadLetters: "lower" | "mixed"): Generator<FieldError, void> {
  if (name === "") return;
  if (deadLetters === "lower") {
    yield* labelErrors(path, name);
    return;
  }
  const problems = dns1035Problems(name.toLowerCase());
  if (problems.length === 0) return;
  yield invalidField(path, name, `may have mixed case, but should otherwise match: ${problems.join(",")}`);
}

function* labelErrors(path: string, name: string): Generator<FieldError, void> {
  const problems = dns1035Problems(name);
  if (problems.length > 0) yield invalidField(path, name, problems.join(","));
}

/** Accepted names of a CustomResourceDefinition, and the conflict if some are not accepted. */
export interface NameAcceptance {
  readonly names: UnvalidatedNames;
  /** The last conflict; undefined if there is none. */
  readonly conflict: { readonly reason: string; readonly message: string } | undefined;
}

/**
 * Compares the requested names with the accepted names of other CRDs in the group. `held` are the names accepted
 * before.
 */
export function acceptNames(crd: Crd, held: UnvalidatedNames, others: readonly Crd[]): NameAcceptance {
  const conflictingWriters = others.filter(
    (other) => other.spec.group === crd.spec.group && other.metadata.name !== crd.metadata.name,
  );
  const taken = conflictingWriters.flatMap((conflicting) => conflicting.status?.acceptedNames ?? []);
  const words = new Set(
    taken.flatMap(({ plural, singular = "", shortNames = [] }) => [plural, singular, ...shortNames]),
  );
  const kinds = new Set(taken.flatMap(({ kind, listKind = "" }) => [kind, listKind]));
  const { names: requested } = crd.spec;
  let conflict: NameAcceptance["conflict"];
  const accepted: { -readonly [K in keyof CrdNames]?: CrdNames[K] } = {};
  const choose = (field: "plural" | "singular" | "kind" | "listKind", used: ReadonlySet<string>): void => {
    const name = requested[field] ?? "";
    const isFree = name === (held[field] ?? "") || !used.has(name);
    if (!isFree) conflict = { reason: `${capital(field)}Conflict`, message: inUse(name) };
    accepted[field] = isFree ? name : (held[field] ?? "");
  };
  choose("plural", words);
  choose("singular", words);
  const clashes = (requested.shortNames ?? []).filter(
    (name) => held.shortNames?.includes(name) !== true && words.has(name),
  );
  const shortNames = clashes.length === 0 ? requested.shortNames : held.shortNames;
  if (clashes.length > 0 && !deepEqual(requested.shortNames, held.shortNames)) {
    const messages = clashes.map(inUse);
    conflict = {
      reason: "ShortNamesConflict",
      message: messages.length > 1 ? `[${messages.join(", ")}]` : messages.join(""),
    };
  }
  choose("kind", kinds);
  choose("listKind", kinds);
  const { categories } = requested;
  return {
    names: {
      ...accepted,
      ...(shortNames === undefined ? {} : { shortNames }),
      ...(categories === undefined ? {} : { categories }),
    },
    conflict,
  };
}

function inUse(name: string): string {
  return `${JSON.stringify(name)} is already in use`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
