import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError, toError } from "@levelset/core";
import type { Shell } from "./shell.ts";
import { parseYaml } from "./yaml.ts";

/** One document of a text, and where it stands, for messages. */
export interface PlacedDocument {
  readonly document: unknown;
  readonly at: string;
}

/** The text of a file. */
export async function readText(file: string, shell: Pick<Shell, "cwd">): Promise<string> {
  return readFile(resolve(shell.cwd, file), "utf8").catch((error: unknown) => unreadable(file, error));
}

/** Throws that a path cannot be read. */
export function unreadable(path: string, error: unknown): never {
  throw new InputError(`cannot read ${path}: ${toError(error).message}`);
}

/** The documents of a text. What is wrong with it is told without a word of it: it may hold secrets. */
export function parseDocuments(text: string, place: string): readonly PlacedDocument[] {
  try {
    const documents = parseYaml(text);
    return documents
      .map((document, index) => ({ document, at: `${place}, document ${index + 1}` }))
      .filter(({ document }) => document !== null && document !== undefined);
  } catch (error) {
    const { reason = "", mark } = error as { readonly reason?: string; readonly mark?: { readonly line?: number } };
    const line = mark?.line === undefined ? "" : `line ${mark.line + 1}: `;
    throw new InputError(`${place} is not YAML: ${line}${reason}`);
  }
}
