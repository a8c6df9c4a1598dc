import { InputError, isJsonObject } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import type { NewWireResource } from "@levelset/fleet/client";
import type { Command } from "commander";
import type { Shell } from "../terminal/index.ts";
import { collectOption } from "../options/index.ts";
import { parseLabels } from "./parse-labels.ts";
import type { LabelChange } from "./parse-labels.ts";
import { applyAssignments, parseAssignment, readObjectFile, readObjectDocuments } from "./spec-args.ts";

/** Parsed flags that declare a resource. */
export interface DeclarationFlags {
  readonly filename?: string;
  readonly set?: readonly string[];
  readonly setText?: readonly string[];
  readonly label?: readonly string[];
}

/** A resource as declared by a file and flags. */
export type ResourceDeclaration = Omit<NewWireResource, "name"> & { readonly kind?: string; readonly name?: string };

/** Adds the flags that declare a resource. */
export function addDeclarationFlags(command: Command): Command {
  return command
    .option("-f, --filename <file>", "YAML or JSON file with a spec or whole resources; - is stdin")
    .option("--set <path=value>", "spec field with a YAML value, e.g. nodes.count=3; repeatable", collectOption)
    .option("--set-text <path=value>", "spec field with a text value; repeatable", collectOption)
    .option("-l, --label <key=value>", "label to set; KEY- removes it; repeatable", collectOption);
}

/** Reports whether any declaration flag is set. */
export function hasDeclarationFlags({ filename, set, setText, label }: DeclarationFlags): boolean {
  return [filename, set, setText, label].some((flag) => flag !== undefined);
}

/** Throws an InputError if the file declares another kind. */
export function checkKind(
  { kind }: ResourceDeclaration,
  expected: { readonly kind: string },
  { filename }: DeclarationFlags,
): void {
  if (kind !== undefined && kind !== expected.kind) {
    throw new InputError(`${filename} declares a ${kind}, not a ${expected.kind}`);
  }
}

/** Applies the flags to an existing declaration, or to an empty one. */
export async function applyDeclarationFlags(
  flags: DeclarationFlags,
  before: ResourceDeclaration,
  shell: Shell,
): Promise<ResourceDeclaration> {
  const { filename } = flags;
  const base =
    filename === undefined
      ? before
      : { ...before, ...parseDeclaration(await readObjectFile(filename, shell), filename) };
  return withFlags(flags, base, before.labels !== undefined);
}

/** Reads the resources of a file. Throws an InputError for a document without kind, name or spec. */
export async function readDeclarations(
  flags: DeclarationFlags & { readonly filename: string },
  shell: Shell,
): Promise<readonly (ResourceDeclaration & { readonly kind: string; readonly name: string })[]> {
  return (await readObjectDocuments(flags.filename, shell)).map(({ object, at }) => {
    const { kind, name, ...rest } = parseDeclaration(object, at);
    if (kind !== undefined && name !== undefined) return { ...withFlags(flags, rest, false), kind, name };
    throw new InputError(`${at} is not a complete resource`, {
      hint: "set kind, name and spec, or run: levelset create KIND NAME -f FILE",
    });
  });
}

/** Sets the values of the flags in a declaration. */
function withFlags(
  { set = [], setText = [], label = [] }: DeclarationFlags,
  base: ResourceDeclaration,
  isLabelled: boolean,
): ResourceDeclaration {
  const assignments = [
    ...set.map((word) => parseAssignment(word, false)),
    ...setText.map((word) => parseAssignment(word, true)),
  ];
  const labels = changeLabels(base.labels ?? {}, parseLabels(label));
  const hasLabels = Object.keys(labels).length > 0 || isLabelled;
  return { ...base, spec: applyAssignments(base.spec, assignments), ...(hasLabels ? { labels } : {}) };
}

function changeLabels(
  labels: Readonly<Record<string, string>>,
  { set, removed }: LabelChange,
): Readonly<Record<string, string>> {
  const remaining = Object.entries(labels).filter(([key]) => !removed.includes(key));
  return { ...Object.fromEntries(remaining), ...set };
}

/** Parses a document: a complete resource, as printed by `get -o yaml`, or only a spec. */
function parseDeclaration(document: JsonObject, file: string): ResourceDeclaration {
  const { kind, name, spec, labels, references } = document;
  if (typeof kind !== "string" || !isJsonObject(spec)) return { spec: document };
  const isLabelled =
    labels === undefined || (isJsonObject(labels) && Object.values(labels).every((value) => typeof value === "string"));
  if (!isLabelled) throw new InputError(`${file}: labels must be a map of strings`);
  return {
    kind,
    ...(typeof name === "string" ? { name } : {}),
    spec,
    // Validated above or by the API.
    ...(labels === undefined ? {} : { labels: labels as Readonly<Record<string, string>> }),
    ...(references === undefined ? {} : { references: references as NonNullable<ResourceDeclaration["references"]> }),
  };
}
