import { dirname, resolve } from "node:path";
import { InputError, isJsonObject } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import type { JsonObject } from "@levelset/core";
import { CORE_SCHEMA, loadAll } from "js-yaml";
import type { ConfigFile, ConfigSources } from "./config-sources.ts";

/** Reads a YAML configuration file. Errors never contain its content, which may be secret. Throws an `InputError`. */
export function readConfigFile(path: string, { cwd, readText }: Pick<ConfigSources, "cwd" | "readText">): ConfigFile {
  const absolutePath = resolve(cwd, path);
  const documents = parse(textOf(absolutePath, path, readText), path);
  const [settings = {}, ...more] = documents.filter((document) => document !== null && document !== undefined);
  if (more.length > 0) throw new InputError(`${path}: contains more than one document`);
  if (!isJsonObject(settings)) throw new InputError(`${path}: must be an object`);
  // The YAML core schema only yields JSON types.
  return { path, directory: dirname(absolutePath), settings: settings as JsonObject };
}

function textOf(absolutePath: string, path: string, readText: (path: string) => string): string {
  try {
    return readText(absolutePath);
  } catch (error) {
    throw new InputError(`cannot read ${path}: ${toError(error).message}`, { cause: error });
  }
}

function parse(text: string, path: string): readonly unknown[] {
  try {
    return loadAll(text, { schema: CORE_SCHEMA });
  } catch (error) {
    const { reason = "", mark } = error as { readonly reason?: string; readonly mark?: { readonly line?: number } };
    const line = mark?.line === undefined ? "" : `line ${mark.line + 1}: `;
    throw new InputError(`${path} is not YAML: ${line}${reason}`);
  }
}
