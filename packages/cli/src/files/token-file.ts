import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError } from "@levelset/core";
import { toError } from "@levelset/core/internal";

/** Reads a token from a file. Errors never contain any part of it. */
export async function readTokenFile(file: string, cwd: string): Promise<string> {
  const path = resolve(cwd, file);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new InputError(`cannot read the token file ${path}: ${toError(error).message}`);
  });
  const token = text.trim();
  if (/^[\x21-\x7E]+$/u.test(token)) return token;
  throw new InputError(`the token file ${path} has no valid token`, {
    hint: "write one word of printable ASCII characters",
  });
}
