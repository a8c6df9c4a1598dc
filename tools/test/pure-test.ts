import { readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { scanImports } from "../tidy/source/import.ts";
import { tokenize } from "../tidy/source/token.ts";
import { isTest, isSource } from "../tidy/tree.ts";

/** Node modules that start processes or threads, open sockets, or wait for real time. */
const REAL_MODULES = /^node:(?:child_process|cluster|dgram|https?|http2|net|timers|tls|worker_threads)\b/u;
/** Names of our packages that use the real clock or open a socket. */
const REAL_NAMES = new Set(["realClock", "listen", "connect", "serveSentinels"]);
/** Waiting in real time. */
const REAL_WAIT = /\b(?:expect\.poll|vi\.waitFor|vi\.waitUntil|setTimeout|performance\.now)\b/u;
/** Listening on a socket in a test, also with a server that takes any port. A helper may only offer to listen. */
const REAL_SOCKET = /\.listen\(|\bport: 0\b[^]*\bawait fetch\(/u;
/** Imports that do not exist at run time. */
const TYPE_IMPORT = /^import type [^;]*;$/gmu;
/** Folders whose files are test helpers. */
const HELPERS = /^(?:tests|tools|bench)\//u;

/**
 * Returns whether a test file is pure: neither the file nor a test helper that it imports, directly or not, uses a real
 * process, socket or clock. Files of packages that it imports by path count for themselves, without their own imports.
 */
export function isPureTest(root: string, file: string): boolean {
  const visited = new Set<string>();
  const queue = [file];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    // A specifier may also name a folder or a file for another program.
    const isFile = isSource(path) && statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true;
    if (visited.has(path) || !isFile) continue;
    visited.add(path);
    const text = readFileSync(join(root, path), "utf8");
    const imports = scanImports(tokenize(text.replaceAll(TYPE_IMPORT, "")));
    if (imports.some(({ specifier }) => REAL_MODULES.test(specifier))) return false;
    const isHelper = path === file || isTest(path) || HELPERS.test(path);
    if (!isHelper) continue;
    const names = imports.flatMap(({ bindings }) => [...bindings.values()]);
    if (isTest(path) && REAL_SOCKET.test(text)) return false;
    if (REAL_WAIT.test(text) || names.some((name) => REAL_NAMES.has(name))) return false;
    for (const { specifier } of imports) {
      if (specifier.startsWith(".")) queue.push(posix.join(posix.dirname(path), specifier));
    }
  }
  return true;
}
