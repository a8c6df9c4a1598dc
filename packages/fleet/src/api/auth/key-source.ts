import { readFile, stat } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { IncomingMessage } from "node:http";
import { InputError, isJsonObject } from "@levelset/core";
import { isLoopbackHost, LinkedAbortController } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";
import type { JSONWebKeySet } from "jose";
import type { KeysConfig } from "./auth-config.ts";

/** The maximum size of a key set. */
const BYTES_MAX = 1_048_576;
/** The timeout of a key request. */
const TIMEOUT_MS = 5_000;

/** The source of a key set. */
export interface KeySource {
  /** Shown in messages. */
  readonly location: string;
  /** Returns the current keys; undefined if they are unchanged. */
  load(): Promise<JSONWebKeySet | undefined>;
}

/** Returns the configured source. Throws an `InputError` if the configuration is invalid. */
export function keySource(config: KeysConfig, field: string, clock: Clock): KeySource {
  if (config.kind === "file") return fileSource(config.path);
  return urlSource(secureUrl(config.url, `${field}.url`), config.caFile, clock);
}

/** Parses a URL that is protected against interception. */
export function secureUrl(text: string, field: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackHost(url.hostname))) return url;
  throw new InputError(`${field}: must be an https URL, or http on loopback`);
}

function fileSource(path: string): KeySource {
  let loadedVersion = "";
  return {
    location: path,
    load: async () => {
      const { mtimeMs, size, ino } = await stat(path);
      const version = `${mtimeMs} ${size} ${ino}`;
      if (version === loadedVersion) return undefined;
      const keys = keySet(await readFile(path, "utf8"));
      loadedVersion = version;
      return keys;
    },
  };
}

function urlSource(url: URL, caFile: string | undefined, clock: Clock): KeySource {
  return {
    // Without credentials in the URL.
    location: url.origin + url.pathname,
    load: async () => {
      const ca = caFile === undefined ? undefined : await readFile(caFile);
      const error = (): Error => new Error("request timed out");
      using limit = new LinkedAbortController([], { clock, ms: TIMEOUT_MS, error });
      return keySet(await textOf(await openResponse(url, ca, limit.signal)));
    },
  };
}

function openResponse(url: URL, ca: Buffer | undefined, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { accept: "application/jwk-set+json, application/json" };
  const request =
    url.protocol === "https:"
      ? httpsRequest(url, { signal, headers, agent: false, ...(ca === undefined ? {} : { ca }) }, resolve)
      : httpRequest(url, { signal, headers, agent: false }, resolve);
  request.on("error", reject).end();
  return promise;
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Redirects are not followed: keys come only from the configured location.
    if (response.statusCode !== 200) throw new Error(`unexpected status ${response.statusCode}`);
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > BYTES_MAX) throw new Error(`key set exceeds ${BYTES_MAX} bytes`);
      chunks.push(chunk);
    }
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks).toString("utf8");
}

function keySet(text: string): JSONWebKeySet {
  const value: unknown = JSON.parse(text);
  const keys = isJsonObject(value) ? value["keys"] : undefined;
  if (!Array.isArray(keys) || !keys.every(isJsonObject)) throw new Error("not a JSON Web Key Set");
  return { keys };
}
