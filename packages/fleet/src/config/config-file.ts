import { dirname, resolve } from "node:path";
import { InputError, isJsonObject, toError } from "@levelset/core";
import type { JsonObject } from "@levelset/core";
import { CORE_SCHEMA, loadAll } from "js-yaml";
import type { ConfigFile, ConfigSources } from "./config-sources.ts";

/** Reads a file of settings in YAML. What is wrong with it is told without a word of it: it may hold secrets. */
export function readConfigFile(path: string, { cwd, readText }: Pick<ConfigSources, "cwd" | "readText">): ConfigFile {
  const whole = resolve(cwd, path);
  const documents = parse(textOf(whole, path, readText), path);
  const [settings = {}, ...more] = documents.filter((document) => document !== null && document !== undefined);
  if (more.length > 0) throw new InputError(`${path}: holds more than one document`);
  if (!isJsonObject(settings)) throw new InputError(`${path}: must be an object`);
  // YAML of JSON's types only: the core schema has no others.
  return { path, directory: dirname(whole), settings: settings as JsonObject };
}

function textOf(whole: string, path: string, readText: (path: string) => string): string {
  try {
    return readText(whole);
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
