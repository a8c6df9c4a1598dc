import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { InputError, isJsonObject } from "@levelset/core";
import type { EmbeddedObject, JsonObject, JsonValue } from "@levelset/core";
import { parseDocuments, readText, unreadable } from "../documents.ts";
import type { Shell } from "../shell.ts";

const EXTENSION = /\.(?:ya?ml|json)$/iu;
const KUSTOMIZATION = /^kustomization\.ya?ml$|^Kustomization$/u;

/** Reads the objects of files, directories and what is piped in (`-`): YAML or JSON, any number of documents, lists taken apart. */
export async function readObjects(
  paths: readonly string[],
  shell: Shell,
  options: { readonly recursive: boolean },
): Promise<readonly EmbeddedObject[]> {
  const objects: EmbeddedObject[] = [];
  for (const path of paths) {
    for (const { place, text } of await textsAt(path, shell, options.recursive)) {
      objects.push(...parseDocuments(text, place).flatMap(({ document, at }) => objectsOf(document, at)));
    }
  }
  if (objects.length === 0) throw new InputError(`there are no objects in ${paths.join(", ")}`);
  return objects;
}

interface Text {
  /** Where it is from, for messages. */
  readonly place: string;
  readonly text: string;
}

async function textsAt(path: string, shell: Shell, recursive: boolean): Promise<readonly Text[]> {
  if (path === "-") return [{ place: "standard input", text: await shell.stdin() }];
  const whole = resolve(shell.cwd, path);
  const found = await stat(whole).catch((error: unknown) => unreadable(path, error));
  if (!found.isDirectory()) return [{ place: path, text: await readText(path, shell) }];
  const entries = await readdir(whole, { recursive, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  if (files.some(({ name }) => KUSTOMIZATION.test(name))) {
    throw new InputError(`${path} is for kustomize`, {
      hint: `pipe in what it makes of it: kustomize build ${path} | levelset operand … -f -`,
    });
  }
  const names = files.map(({ parentPath, name }) => join(parentPath, name)).filter((name) => EXTENSION.test(name));
  if (names.length === 0) throw new InputError(`${path} has no .yaml, .yml or .json files`);
  return Promise.all(
    names.toSorted().map(async (name) => {
      const place = join(path, name.slice(whole.length + 1));
      return { place, text: await readText(place, shell) };
    }),
  );
}

function objectsOf(document: unknown, at: string): readonly EmbeddedObject[] {
  if (!isJsonObject(document)) throw new InputError(`${at}: not an object`);
  const { apiVersion, kind, metadata, items } = document as JsonObject;
  if (typeof apiVersion !== "string" || apiVersion === "") throw new InputError(`${at}: apiVersion is missing`);
  if (typeof kind !== "string" || kind === "") throw new InputError(`${at}: kind is missing`);
  if (kind.endsWith("List") && Array.isArray(items)) {
    return (items as readonly JsonValue[]).flatMap((item, index) => objectsOf(item, `${at}, item ${index + 1}`));
  }
  if (!isJsonObject(metadata)) throw new InputError(`${at}: metadata is missing`);
  return [{ ...(document as JsonObject), apiVersion, kind, metadata }] as readonly EmbeddedObject[]; // checked above
}

/** The objects with a namespace where their kind needs one and they have none. */
export function inNamespace(
  objects: readonly EmbeddedObject[],
  namespace: string,
  isNamespaced: (object: EmbeddedObject) => boolean,
): readonly EmbeddedObject[] {
  return objects.map((object) =>
    object.metadata["namespace"] !== undefined || !isNamespaced(object)
      ? object
      : { ...object, metadata: { ...object.metadata, namespace } },
  );
}

/** What should be known about objects that Helm would have treated in its own way; undefined when there are none. */
export function helmNote(objects: readonly EmbeddedObject[]): string | undefined {
  const hooks = objects.filter(({ metadata }) => {
    const { annotations } = metadata;
    return isJsonObject(annotations) && annotations["helm.sh/hook"] !== undefined;
  });
  if (hooks.length === 0) return undefined;
  const [first] = hooks;
  const named = `${first?.kind} ${JSON.stringify(first?.metadata["name"])}`;
  const more = hooks.length === 1 ? "" : ` and ${hooks.length - 1} more`;
  return `${named}${more}: Helm hooks, taken as ordinary objects of the set; helm template --no-hooks leaves them out`;
}
