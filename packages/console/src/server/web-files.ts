import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { InputError } from "@levelset/core";

/** A file of the web application, ready to be sent. */
export interface WebFile {
  readonly type: string;
  readonly body: Buffer;
  readonly gzipped: Buffer;
}

/** The files by their names. */
export type WebFiles = ReadonlyMap<string, WebFile>;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Reads the web application as it was built. */
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
    hint: "in a clone: npm run build:web",
  });
}

/** Tells two builds of the web application apart. */
export function digestOf(files: WebFiles): string {
  const hash = createHash("sha256");
  for (const [name, { body }] of files) hash.update(name).update(body);
  return hash.digest("hex").slice(0, 16);
}
