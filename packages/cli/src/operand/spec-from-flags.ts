import { applyDefaults, pruneUnknownFields, validate } from "@levelset/core/schema";
import { InputError, isJsonObject } from "@levelset/core";
import type { EmbeddedObject, JsonObject, SpecOf } from "@levelset/core";
import { Operand } from "@levelset/operator";
import { resolveSet, KindResolver } from "@levelset/operator/internal";
import type { Discovery } from "@levelset/operator";
import type { InvalidManifestSet } from "@levelset/operator/internal";
import type { Command } from "commander";
import { parseYamlDocuments, readText } from "../yaml/index.ts";
import { collectOption } from "../options/index.ts";
import type { Shell } from "../terminal/index.ts";
import { helmWarning, withNamespace, readManifestObjects } from "./read-manifest-objects.ts";
import { addSpecFlags, specOf } from "./spec-flags.ts";
import type { SpecFlags } from "./spec-flags.ts";

/** Parsed flags that define an Operand. */
export interface SetFlags extends SpecFlags {
  readonly filename?: readonly string[];
  readonly postInstall?: readonly string[];
  readonly recursive?: boolean;
  readonly namespace?: string;
  readonly spec?: string;
}

/** Adds the flags that define an Operand's manifests and spec. */
export function addSetFlags(command: Command): Command {
  return addSpecFlags(
    command
      .option("-f, --filename <path>", "file or directory with objects, or - for stdin; repeatable", collectOption)
      .option(
        "--post-install <path>",
        "file or directory with objects to apply once the others are healthy",
        collectOption,
      )
      .option("-R, --recursive", "read subdirectories too")
      .option("-n, --namespace <name>", "namespace for namespaced objects that do not set one")
      .option("--spec <file>", "YAML file with more fields of the Operand's spec, e.g. health"),
  );
}

/** Reports whether any flag other than the manifests is set. */
export function hasSetFlags(flags: SetFlags): boolean {
  const { postInstall, recursive, namespace, spec } = flags;
  return (
    [postInstall, recursive, namespace, spec].some((flag) => flag !== undefined) ||
    Object.keys(specOf(flags)).length > 0
  );
}

/** Looks up kinds, in discovery or offline. */
export type KindLookup = Pick<Discovery, "kindOf">;

/** Kind lookup without a cluster: only built-in kinds and kinds of CRDs in the Operand are known. */
export const OFFLINE_KINDS: KindLookup = {
  kindOf: () => Promise.reject(new InputError("offline: the cluster is not queried")),
};

/** What the validation of a spec needs. */
export interface SpecContext {
  readonly kinds: KindLookup;
  readonly signal: AbortSignal;
  /** Name of the Operand, which must not be part of its own set. */
  readonly name: string;
}

/** Builds the spec from flags and validates it as the controller does. Warnings go to stderr. */
export async function specFromFlags(flags: SetFlags, shell: Shell, known: SpecContext): Promise<JsonObject> {
  const { filename = [], postInstall = [], recursive = false } = flags;
  if (filename.length === 0)
    throw new InputError("no manifests given", {
      hint: "pass a file or directory with -f, or - for stdin",
    });
  if ([...filename, ...postInstall].filter((path) => path === "-").length > 1) {
    throw new InputError("only one option can read from stdin (-)");
  }
  const lists = {
    steadyState: await readManifestObjects(filename, shell, { recursive }),
    postInstall: postInstall.length === 0 ? [] : await readManifestObjects(postInstall, shell, { recursive }),
  };
  const warning = helmWarning([...lists.steadyState, ...lists.postInstall]);
  if (warning !== undefined) shell.stderr(`levelset: warning: ${warning}\n`);
  const more = flags.spec === undefined ? {} : await readSpecFields(flags.spec, shell);
  const spec = { ...more, ...specOf(flags), ...(await withNamespaces(lists, flags.namespace, known)) };
  await checkSpec(spec, shell, known);
  return spec;
}

interface Lists {
  readonly steadyState: readonly EmbeddedObject[];
  readonly postInstall: readonly EmbeddedObject[];
}

async function withNamespaces(
  lists: Lists,
  namespace: string | undefined,
  { kinds: discovery, signal }: SpecContext,
): Promise<Lists> {
  if (namespace === undefined) return lists;
  const kinds = await KindResolver.of([...lists.steadyState, ...lists.postInstall], discovery, signal);
  const isNamespaced = (object: EmbeddedObject): boolean => kinds.scopeOf(object) === "Namespaced";
  return {
    steadyState: withNamespace(lists.steadyState, namespace, isNamespaced),
    postInstall: withNamespace(lists.postInstall, namespace, isNamespaced),
  };
}

async function readSpecFields(file: string, shell: Shell): Promise<JsonObject> {
  const [document, ...others] = parseYamlDocuments(await readText(file, shell));
  if (!isJsonObject(document) || others.length > 0)
    throw new InputError(`${file}: expected one YAML object with fields of the Operand's spec`);
  const { dropped } = pruneUnknownFields(Operand.schema, { spec: document });
  const [unknown] = dropped;
  if (unknown !== undefined) throw new InputError(`${file}: an Operand has no field ${unknown}`);
  return document as JsonObject;
}

async function checkSpec(spec: JsonObject, shell: Shell, { kinds, signal, name }: SpecContext): Promise<void> {
  const complete = applyDefaults(Operand.schema, { spec });
  const [problem] = validate(Operand.schema, complete);
  if (problem !== undefined) throw new InputError(`${problem.field}: ${problem.message}`);
  // Validated by the schema.
  const { spec: checked } = complete as { readonly spec: SpecOf<typeof Operand> };
  const set = await resolveSet(checked, kinds, signal, name);
  if (set.kind === "bad") throw invalidSetError(set, shell);
}

/** Prints all problems to stderr and returns an error with the first one. */
export function invalidSetError(
  { problems, lacksNamespace }: Pick<InvalidManifestSet, "problems" | "lacksNamespace">,
  shell: Shell,
): InputError {
  const [first = "", ...others] = problems;
  for (const each of others.length === 0 ? [] : problems) shell.stderr(`  ✗ ${each}\n`);
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const hint = lacksNamespace ? "pass -n NAMESPACE for objects without a namespace" : "fix the manifests and try again";
  return new InputError(`invalid Operand: ${first}${more}`, { hint });
}
