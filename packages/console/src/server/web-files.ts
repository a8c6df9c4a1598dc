import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { InputError } from "@levelset/core";

/** A file of the web application. */
export interface WebFile {
  readonly type: string;
  readonly body: Buffer<ArrayBuffer>;
  readonly gzipped: Buffer<ArrayBuffer>;
}

/** The files by name. */
export type WebFiles = ReadonlyMap<string, WebFile>;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Reads the built web application. Throws an InputError if it is not built. */
export async function loadWebFiles(directory: string): Promise<WebFiles> {
  const names = await readdir(directory).catch(() => []);
  const files = new Map<string, WebFile>();
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const body = await readFile(join(directory, name));
    files.set(name, { type, body, gzipped: gzipSync(body) });
  }
  if (files.has("index.html")) return files;
  throw new InputError(`the console's pages are not built: ${directory} has no index.html`, {
    hint: "in a clone of the repository, run npm run build:web",
  });
}

/** Returns the ID of a build of the web application: a digest of its files. */
export function buildDigest(files: WebFiles): string {
  const hash = createHash("sha256");
  for (const [name, { body }] of files) hash.update(name).update(body);
  return hash.digest("hex").slice(0, 16);
}
