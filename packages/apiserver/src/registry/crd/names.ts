import type { CrdNames, FieldError } from "@levelset/core";
import { deepEqual } from "@levelset/core";
import { invalidField, requiredField } from "../field.ts";
import { dns1035Problems } from "../names.ts";
import type { Crd } from "../resource.ts";

/** How a declaration calls its kind, as decoding leaves it. */
export type LooseNames = Partial<CrdNames>;

/** Everything wrong with the names of a declaration. */
export function* namesErrors(path: string, names: LooseNames): Generator<FieldError, void> {
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

function* nameErrors(path: string, name: string, letters: "lower" | "mixed"): Generator<FieldError, void> {
  if (name === "") return;
  if (letters === "lower") {
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

/** Which names of a declaration it may use, and why not all of them where that is so. */
export interface Acceptance {
  readonly names: LooseNames;
  /** The last conflict; undefined where there is none. */
  readonly conflict: { readonly reason: string; readonly message: string } | undefined;
}

/** Compares the names that a declaration asks for with those that others of its group have. `held`: what it has already. */
export function acceptNames(crd: Crd, held: LooseNames, others: readonly Crd[]): Acceptance {
  const rivals = others.filter(
    (other) => other.spec.group === crd.spec.group && other.metadata.name !== crd.metadata.name,
  );
  const taken = rivals.flatMap((rival) => rival.status?.acceptedNames ?? []);
  const words = new Set(
    taken.flatMap(({ plural, singular = "", shortNames = [] }) => [plural, singular, ...shortNames]),
  );
  const kinds = new Set(taken.flatMap(({ kind, listKind = "" }) => [kind, listKind]));
  const { names: wanted } = crd.spec;
  let conflict: Acceptance["conflict"];
  const accepted: { -readonly [K in keyof CrdNames]?: CrdNames[K] } = {};
  const choose = (field: "plural" | "singular" | "kind" | "listKind", used: ReadonlySet<string>): void => {
    const name = wanted[field] ?? "";
    const isFree = name === (held[field] ?? "") || !used.has(name);
    if (!isFree) conflict = { reason: `${capital(field)}Conflict`, message: inUse(name) };
    accepted[field] = isFree ? name : (held[field] ?? "");
  };
  choose("plural", words);
  choose("singular", words);
  const clashes = (wanted.shortNames ?? []).filter(
    (name) => held.shortNames?.includes(name) !== true && words.has(name),
  );
  const shortNames = clashes.length === 0 ? wanted.shortNames : held.shortNames;
  if (clashes.length > 0 && !deepEqual(wanted.shortNames, held.shortNames)) {
    const said = clashes.map(inUse);
    conflict = { reason: "ShortNamesConflict", message: said.length > 1 ? `[${said.join(", ")}]` : said.join("") };
  }
  choose("kind", kinds);
  choose("listKind", kinds);
  const { categories } = wanted;
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
