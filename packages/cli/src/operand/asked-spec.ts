import { applyDefaults, InputError, isJsonObject, prune, validate } from "@levelset/core";
import type { EmbeddedObject, JsonObject, SpecOf } from "@levelset/core";
import { Operand, readSet, SetKinds } from "@levelset/operator";
import type { Discovery } from "@levelset/operator";
import type { Command } from "commander";
import { readText } from "../documents.ts";
import { gather } from "../gather.ts";
import type { Shell } from "../shell.ts";
import { parseYaml } from "../yaml.ts";
import { helmNote, inNamespace, readObjects } from "./input.ts";
import { addSpecFlags, specOf } from "./spec-flags.ts";
import type { SpecFlags } from "./spec-flags.ts";

/** The flags that a set is given by, as read. */
export interface SetFlags extends SpecFlags {
  readonly filename?: readonly string[];
  readonly postInstall?: readonly string[];
  readonly recursive?: boolean;
  readonly namespace?: string;
  readonly spec?: string;
}

/** Gives a command the flags that a set is given by. */
export function addSetFlags(command: Command): Command {
  return addSpecFlags(
    command
      .option("-f, --filename <path>", "a file, a directory or - (piped in) with objects; may be given again", gather)
      .option("--post-install <path>", "the same for objects that come when those are healthy", gather)
      .option("-R, --recursive", "also take what is in directories below")
      .option("-n, --namespace <name>", "where objects go that need a namespace and name none")
      .option("--spec <file>", "a YAML file with further fields of the Operand's spec, such as health"),
  );
}

/** Whether anything is said about a set beside its objects. */
export function isAboutSet(flags: SetFlags): boolean {
  const { postInstall, recursive, namespace, spec } = flags;
  return (
    [postInstall, recursive, namespace, spec].some((flag) => flag !== undefined) ||
    Object.keys(specOf(flags)).length > 0
  );
}

/** What kinds there are, as far as a command can know. */
export type KnownKinds = Pick<Discovery, "kindOf">;

/** Where no cluster is asked: only built-in kinds and those of the CRDs in the set are known. */
export const NO_CLUSTER: KnownKinds = {
  kindOf: () => Promise.reject(new InputError("no cluster is asked")),
};

/** The spec that flags ask for, checked as the controller will check it. What should be known about it goes to stderr. */
export async function askedSpec(
  flags: SetFlags,
  shell: Shell,
  known: { readonly kinds: KnownKinds; readonly signal: AbortSignal },
): Promise<JsonObject> {
  const { filename = [], postInstall = [], recursive = false } = flags;
  if (filename.length === 0)
    throw new InputError("no objects are given", {
      hint: "name a file or directory with -f, or - for what is piped in",
    });
  if ([...filename, ...postInstall].filter((path) => path === "-").length > 1) {
    throw new InputError("only one list of objects can be piped in");
  }
  const lists = {
    steadyState: await readObjects(filename, shell, { recursive }),
    postInstall: postInstall.length === 0 ? [] : await readObjects(postInstall, shell, { recursive }),
  };
  const note = helmNote([...lists.steadyState, ...lists.postInstall]);
  if (note !== undefined) shell.stderr(`levelset: warning: ${note}\n`);
  const further = flags.spec === undefined ? {} : await furtherFields(flags.spec, shell);
  const spec = { ...further, ...specOf(flags), ...(await placed(lists, flags.namespace, known)) };
  await checkSpec(spec, shell, known);
  return spec;
}

interface Lists {
  readonly steadyState: readonly EmbeddedObject[];
  readonly postInstall: readonly EmbeddedObject[];
}

async function placed(
  lists: Lists,
  namespace: string | undefined,
  { kinds: discovery, signal }: { readonly kinds: KnownKinds; readonly signal: AbortSignal },
): Promise<Lists> {
  if (namespace === undefined) return lists;
  const kinds = await SetKinds.of([...lists.steadyState, ...lists.postInstall], discovery, signal);
  const isNamespaced = (object: EmbeddedObject): boolean => kinds.scopeOf(object) === "Namespaced";
  return {
    steadyState: inNamespace(lists.steadyState, namespace, isNamespaced),
    postInstall: inNamespace(lists.postInstall, namespace, isNamespaced),
  };
}

async function furtherFields(file: string, shell: Shell): Promise<JsonObject> {
  const [document, ...others] = parseYaml(await readText(file, shell));
  if (!isJsonObject(document) || others.length > 0)
    throw new InputError(`${file}: one YAML object with fields of a spec is expected`);
  const { dropped } = prune(Operand.schema, { spec: document });
  const [unknown] = dropped;
  if (unknown !== undefined) throw new InputError(`${file}: an Operand has no field ${unknown}`);
  return document as JsonObject;
}

async function checkSpec(
  spec: JsonObject,
  shell: Shell,
  { kinds, signal }: { readonly kinds: KnownKinds; readonly signal: AbortSignal },
): Promise<void> {
  const whole = applyDefaults(Operand.schema, { spec });
  const [wrong] = validate(Operand.schema, whole);
  if (wrong !== undefined) throw new InputError(`${wrong.field}: ${wrong.message}`);
  // Its schema has said so.
  const { spec: checked } = whole as { readonly spec: SpecOf<typeof Operand> };
  const set = await readSet(checked, kinds, signal);
  if (set.kind === "bad") throw badSet(set.problems, shell);
}

/** What is wrong with a set: all of it on stderr, the first of it in the error. */
export function badSet(problems: readonly string[], shell: Shell): InputError {
  const [first = "", ...others] = problems;
  for (const problem of others.length === 0 ? [] : problems) shell.stderr(`  ✗ ${problem}\n`);
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const hint = problems.some((problem) => problem.endsWith("needs a metadata.namespace"))
    ? "-n NAMESPACE puts objects there that name none"
    : "mend the manifests and try again";
  return new InputError(`the set cannot be installed: ${first}${more}`, { hint });
}
