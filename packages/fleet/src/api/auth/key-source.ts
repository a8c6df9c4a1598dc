import { readFile, stat } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { IncomingMessage } from "node:http";
import { InputError, isJsonObject } from "@levelset/core";
import type { Clock } from "@levelset/core";
import type { JSONWebKeySet } from "jose";
import type { KeysConfig } from "./auth-config.ts";

/** The most bytes of a key set. */
const BYTES_MAX = 1_048_576;
/** How long an issuer may take. */
const PATIENCE_MS = 5_000;

/** Where a key set comes from. */
export interface KeySource {
  /** For messages. */
  readonly place: string;
  /** The keys as they are now; undefined if they are the same as last time. */
  load(): Promise<JSONWebKeySet | undefined>;
}

/** The source that a configuration names. Throws an InputError if that cannot be one. */
export function keySource(config: KeysConfig, field: string, clock: Clock): KeySource {
  if (config.kind === "file") return fileSource(config.path);
  return urlSource(secureUrl(config.url, `${field}.url`), config.caFile, clock);
}

/** A URL that nobody on the way can answer in the place of its host. */
export function secureUrl(text: string, field: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackHost(url.hostname))) return url;
  throw new InputError(`${field}: must be a URL with https, or with http on the loopback`);
}

function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function fileSource(path: string): KeySource {
  let seen = "";
  return {
    place: path,
    load: async () => {
      const { mtimeMs, size, ino } = await stat(path);
      const version = `${mtimeMs} ${size} ${ino}`;
      if (version === seen) return undefined;
      const keys = keySet(await readFile(path, "utf8"));
      seen = version;
      return keys;
    },
  };
}

function urlSource(url: URL, caFile: string | undefined, clock: Clock): KeySource {
  return {
    // Without what a URL may have of credentials.
    place: url.origin + url.pathname,
    load: async () => {
      const ca = caFile === undefined ? undefined : await readFile(caFile);
      const stopping = new AbortController();
      const timer = clock.after(PATIENCE_MS, () => stopping.abort(new Error("it took too long")));
      try {
        return keySet(await textOf(await answerOf(url, ca, stopping.signal)));
      } finally {
        timer.cancel();
      }
    },
  };
}

function answerOf(url: URL, ca: Buffer | undefined, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { accept: "application/jwk-set+json, application/json" };
  const request =
    url.protocol === "https:"
      ? httpsRequest(url, { signal, headers, agent: false, ...(ca === undefined ? {} : { ca }) }, resolve)
      : httpRequest(url, { signal, headers, agent: false }, resolve);
  request.on("error", reject).end();
  return promise;
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Redirects are not followed: keys come from where the configuration says, or not at all.
    if (answer.statusCode !== 200) throw new Error(`it answered with status ${answer.statusCode}`);
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > BYTES_MAX) throw new Error(`it has more than ${BYTES_MAX} bytes`);
      chunks.push(chunk);
    }
  } finally {
    answer.destroy();
  }
  return Buffer.concat(chunks).toString("utf8");
}

function keySet(text: string): JSONWebKeySet {
  const value: unknown = JSON.parse(text);
  const keys = isJsonObject(value) ? value["keys"] : undefined;
  if (!Array.isArray(keys) || !keys.every(isJsonObject)) throw new Error("it is no JSON Web Key Set");
  return { keys };
}
