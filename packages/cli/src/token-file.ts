import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError, toError } from "@levelset/core";

/** Reads a secret word from a file. Neither it nor any part of it appears in errors. */
export async function readTokenFile(file: string, cwd: string): Promise<string> {
  const path = resolve(cwd, file);
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new InputError(`cannot read the token file ${path}: ${toError(error).message}`);
  });
  const token = text.trim();
  if (/^[\x21-\x7E]+$/u.test(token)) return token;
  throw new InputError(`the token file ${path} holds no token`, {
    hint: "a token is one word of printable ASCII characters",
  });
}
