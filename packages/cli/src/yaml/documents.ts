import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import type { Shell } from "../terminal/index.ts";
import { parseYamlDocuments } from "./yaml.ts";

/** A document of a text with its location, for messages. */
export interface LocatedDocument {
  readonly document: unknown;
  readonly location: string;
}

/** Reads a text file. Throws an InputError if it cannot be read. */
export async function readText(file: string, shell: Pick<Shell, "cwd">): Promise<string> {
  return readFile(resolve(shell.cwd, file), "utf8").catch((error: unknown) => throwUnreadable(file, error));
}

/** Throws an InputError for a path that cannot be read. */
export function throwUnreadable(path: string, error: unknown): never {
  throw new InputError(`cannot read ${path}: ${toError(error).message}`);
}

/** Parses the documents of a text. Errors do not quote the text, because it may contain secrets. */
export function parseDocuments(text: string, source: string): readonly LocatedDocument[] {
  try {
    const documents = parseYamlDocuments(text);
    return documents
      .map((document, index) => ({ document, location: `${source}, document ${index + 1}` }))
      .filter(({ document }) => document !== null && document !== undefined);
  } catch (error) {
    const { reason = "", mark } = error as { readonly reason?: string; readonly mark?: { readonly line?: number } };
    const line = mark?.line === undefined ? "" : `line ${mark.line + 1}: `;
    throw new InputError(`${source} is not YAML: ${line}${reason}`);
  }
}
