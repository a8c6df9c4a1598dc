import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError } from "@levelset/core";

/** A mapping of a kubeconfig, read but not yet understood. */
export type Fields = Readonly<Record<string, unknown>>;

/** One named cluster, user or context, and the file it stands in. */
export interface Entry {
  readonly file: string;
  /** Paths in the entry are relative to this. */
  readonly directory: string;
  readonly fields: Fields;
}

/** An error about a kubeconfig. */
export function kubeconfigError(file: string, message: string, hint?: string): InputError {
  return new InputError(`kubeconfig ${file}: ${message}`, hint === undefined ? {} : { hint });
}

/** A field that is a text and not empty. */
export function textOf(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Whether a value is a mapping. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The mappings of a list; whatever else it holds is left out. */
export function fieldsOf(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.filter(isFields) : [];
}

/** The path that a field of an entry names, made absolute. */
export function pathOf(entry: Entry, field: string): string | undefined {
  const path = textOf(entry.fields, field);
  return path === undefined ? undefined : resolve(entry.directory, path);
}

/** `<field>-data` in base64, else the file that `<field>` names. */
export async function pemOf(entry: Entry, field: string): Promise<string | undefined> {
  const data = textOf(entry.fields, `${field}-data`);
  if (data !== undefined) return Buffer.from(data, "base64").toString("utf8");
  const path = pathOf(entry, field);
  if (path === undefined) return undefined;
  try {
    return await readFile(path, "utf8");
  } catch {
    throw kubeconfigError(entry.file, `${field} names ${textOf(entry.fields, field)}, which cannot be read`);
  }
}
