import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError } from "@levelset/core";

/** A parsed, unvalidated mapping of a kubeconfig. */
export type KubeconfigFields = Readonly<Record<string, unknown>>;

/** One named cluster, user or context, and its file. */
export interface KubeconfigEntry {
  readonly file: string;
  /** Paths in the entry are relative to this. */
  readonly directory: string;
  readonly fields: KubeconfigFields;
}

/** Returns an error about a kubeconfig. */
export function kubeconfigError(file: string, message: string, hint?: string): InputError {
  return new InputError(`kubeconfig ${file}: ${message}`, hint === undefined ? {} : { hint });
}

/** Returns a field if it is a non-empty string. */
export function stringField(fields: KubeconfigFields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns whether a value is a mapping. */
export function isFields(value: unknown): value is KubeconfigFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the mappings of a list and ignores other entries. */
export function fieldsOf(list: unknown): readonly KubeconfigFields[] {
  return Array.isArray(list) ? list.filter(isFields) : [];
}

/** Returns the absolute path of a file field of an entry. */
export function pathOf(entry: KubeconfigEntry, field: string): string | undefined {
  const path = stringField(entry.fields, field);
  return path === undefined ? undefined : resolve(entry.directory, path);
}

/**
 * Returns the decoded `<field>-data`, or the content of the file in `<field>`. Rejects with an `InputError` if it
 * cannot be read.
 */
export async function pemOf(entry: KubeconfigEntry, field: string): Promise<string | undefined> {
  const data = stringField(entry.fields, `${field}-data`);
  if (data !== undefined) return Buffer.from(data, "base64").toString("utf8");
  const path = pathOf(entry, field);
  if (path === undefined) return undefined;
  try {
    return await readFile(path, "utf8");
  } catch {
    throw kubeconfigError(entry.file, `${field} names ${stringField(entry.fields, field)}, which cannot be read`);
  }
}
