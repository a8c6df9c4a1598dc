import { InputError, isJsonObject } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import type { NewWireResource } from "@levelset/fleet/client";
import type { Command } from "commander";
import type { Shell } from "../shell.ts";
import { gather } from "../gather.ts";
import { parseLabels } from "./label-words.ts";
import type { LabelChange } from "./label-words.ts";
import { assign, parseAssignment, readObject, readObjects } from "./spec-words.ts";

/** The flags that say what is declared. */
export interface DeclarationFlags {
  readonly filename?: string;
  readonly set?: readonly string[];
  readonly setText?: readonly string[];
  readonly label?: readonly string[];
}

/** What a file and flags declare. */
export type Declared = Omit<NewWireResource, "name"> & { readonly kind?: string; readonly name?: string };

/** Gives a command the flags that say what is declared. */
export function addDeclarationFlags(command: Command): Command {
  return command
    .option("-f, --filename <file>", "YAML or JSON: the spec, or whole resources with kind, name and spec; - is stdin")
    .option("--set <path=value>", "set a member of the spec, read as YAML: nodes.count=3; may be given again", gather)
    .option("--set-text <path=value>", "the same, taken as text", gather)
    .option("-l, --label <key=value>", "a label; KEY- removes it; may be given again", gather);
}

/** Whether any of them is given. */
export function isDeclared({ filename, set, setText, label }: DeclarationFlags): boolean {
  return [filename, set, setText, label].some((flag) => flag !== undefined);
}

/** Throws an InputError if the file is about another kind. */
export function checkKind({ kind }: Declared, wanted: { readonly kind: string }, { filename }: DeclarationFlags): void {
  if (kind !== undefined && kind !== wanted.kind) {
    throw new InputError(`${filename} declares a ${kind}, not a ${wanted.kind}`);
  }
}

/** What the flags make of a declaration that is there, or of none. */
export async function declaredBy(flags: DeclarationFlags, before: Declared, shell: Shell): Promise<Declared> {
  const { filename } = flags;
  const base = filename === undefined ? before : { ...before, ...wholeOf(await readObject(filename, shell), filename) };
  return changedBy(flags, base, before.labels !== undefined);
}

/** All whole resources that a file declares. Throws an InputError for a document that does not say what it is. */
export async function allDeclaredBy(
  flags: DeclarationFlags & { readonly filename: string },
  shell: Shell,
): Promise<readonly (Declared & { readonly kind: string; readonly name: string })[]> {
  return (await readObjects(flags.filename, shell)).map(({ object, at }) => {
    const { kind, name, ...rest } = wholeOf(object, at);
    if (kind !== undefined && name !== undefined) return { ...changedBy(flags, rest, false), kind, name };
    throw new InputError(`${at} is no whole resource`, {
      hint: "it needs kind, name and spec; or name both: create KIND NAME -f FILE",
    });
  });
}

/** A declaration with what the flags set in it. */
function changedBy(
  { set = [], setText = [], label = [] }: DeclarationFlags,
  base: Declared,
  isLabelled: boolean,
): Declared {
  const assignments = [
    ...set.map((word) => parseAssignment(word, false)),
    ...setText.map((word) => parseAssignment(word, true)),
  ];
  const labels = relabelled(base.labels ?? {}, parseLabels(label));
  const hasLabels = Object.keys(labels).length > 0 || isLabelled;
  return { ...base, spec: assign(base.spec, assignments), ...(hasLabels ? { labels } : {}) };
}

function relabelled(
  labels: Readonly<Record<string, string>>,
  { set, removed }: LabelChange,
): Readonly<Record<string, string>> {
  const kept = Object.entries(labels).filter(([key]) => !removed.includes(key));
  return { ...Object.fromEntries(kept), ...set };
}

/** What a file declares: a whole resource, as `get -o yaml` prints it, or only the spec. */
function wholeOf(document: JsonObject, file: string): Declared {
  const { kind, name, spec, labels, references } = document;
  if (typeof kind !== "string" || !isJsonObject(spec)) return { spec: document };
  const isLabelled =
    labels === undefined || (isJsonObject(labels) && Object.values(labels).every((value) => typeof value === "string"));
  if (!isLabelled) throw new InputError(`${file}: labels must be texts by key`);
  return {
    kind,
    ...(typeof name === "string" ? { name } : {}),
    spec,
    // Both are checked above, or by the API, which says what is wrong with them.
    ...(labels === undefined ? {} : { labels: labels as Readonly<Record<string, string>> }),
    ...(references === undefined ? {} : { references: references as NonNullable<Declared["references"]> }),
  };
}
