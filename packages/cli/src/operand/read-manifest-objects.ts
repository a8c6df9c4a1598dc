import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { InputError, isJsonObject } from "@levelset/core";
import type { EmbeddedObject, JsonObject, JsonValue } from "@levelset/core";
import { parseDocuments, readText, throwUnreadable } from "../yaml/index.ts";
import type { Shell } from "../terminal/index.ts";

const EXTENSION = /\.(?:ya?ml|json)$/iu;
const KUSTOMIZATION = /^kustomization\.ya?ml$|^Kustomization$/u;

/** Reads objects from files, directories and stdin (`-`): YAML or JSON, many documents; lists are expanded. */
export async function readManifestObjects(
  paths: readonly string[],
  shell: Shell,
  options: { readonly recursive: boolean },
): Promise<readonly EmbeddedObject[]> {
  const objects: EmbeddedObject[] = [];
  for (const path of paths) {
    for (const { source, text } of await textsAt(path, shell, options.recursive)) {
      objects.push(...parseDocuments(text, source).flatMap(({ document, location }) => objectsOf(document, location)));
    }
  }
  if (objects.length === 0) throw new InputError(`no objects found in ${paths.join(", ")}`);
  return objects;
}

interface Text {
  /** Source, for messages. */
  readonly source: string;
  readonly text: string;
}

async function textsAt(path: string, shell: Shell, recursive: boolean): Promise<readonly Text[]> {
  if (path === "-") return [{ source: "standard input", text: await shell.stdin() }];
  const absolute = resolve(shell.cwd, path);
  const found = await stat(absolute).catch((error: unknown) => throwUnreadable(path, error));
  if (!found.isDirectory()) return [{ source: path, text: await readText(path, shell) }];
  const entries = await readdir(absolute, { recursive, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  if (files.some(({ name }) => KUSTOMIZATION.test(name))) {
    throw new InputError(`${path} is a kustomize directory`, {
      hint: `run: kustomize build ${path} | levelset operand … -f -`,
    });
  }
  const names = files.map(({ parentPath, name }) => join(parentPath, name)).filter((name) => EXTENSION.test(name));
  if (names.length === 0) throw new InputError(`${path} has no .yaml, .yml or .json files`);
  return Promise.all(
    names.toSorted().map(async (name) => {
      const source = join(path, name.slice(absolute.length + 1));
      return { source, text: await readText(source, shell) };
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

/** Sets the namespace on namespaced objects that have none. */
export function withNamespace(
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

/** Returns a warning about Helm hooks among the objects, or undefined. */
export function helmWarning(objects: readonly EmbeddedObject[]): string | undefined {
  const hooks = objects.filter(({ metadata }) => {
    const { annotations } = metadata;
    return isJsonObject(annotations) && annotations["helm.sh/hook"] !== undefined;
  });
  if (hooks.length === 0) return undefined;
  const [first] = hooks;
  const named = `${first?.kind} ${JSON.stringify(first?.metadata["name"])}`;
  const more = hooks.length === 1 ? "" : ` and ${hooks.length - 1} more`;
  return `${named}${more}: Helm hooks are treated as ordinary objects; use helm template --no-hooks to omit them`;
}
