import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { InputError, realClock, toError } from "@levelset/core";
import type { Clock } from "@levelset/core";
import type { ClusterAccess } from "./access.ts";
import { fieldsOf, isFields, kubeconfigError, pemOf, textOf } from "./kubeconfig-entry.ts";
import type { Entry, Fields } from "./kubeconfig-entry.ts";
import { userCredentials } from "./kubeconfig-user.ts";

/** How a kubeconfig is read. */
export interface KubeconfigOptions {
  /** Default: the current context. */
  readonly context?: string | undefined;
  /** The environment that credential plugins run in. Without it they have none but what the kubeconfig gives them. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
}

/**
 * Reads a kubeconfig and resolves one of its contexts. Several files are merged as kubectl does it: of each named thing the first
 * one counts, and files that are missing are passed over as long as one is there.
 */
export async function loadKubeconfig(
  paths: string | readonly string[],
  options: KubeconfigOptions = {},
): Promise<ClusterAccess> {
  const listed = typeof paths === "string" ? [paths] : paths;
  const read = await Promise.all(listed.map((path) => readText(path, listed.length > 1)));
  const files = read.flatMap((file) => file ?? []);
  if (files.length === 0) {
    throw new InputError(`none of the kubeconfigs ${listed.join(", ")} is there`, { hint: WHICH_FILE });
  }
  return resolveContext(await Promise.all(files.map(({ path, text }) => parseFile(text, path))), options);
}

/** Resolves a context of a kubeconfig's text. Files that it names are read relative to `path`. */
export async function parseKubeconfig(
  text: string,
  options: KubeconfigOptions & { readonly path: string },
): Promise<ClusterAccess> {
  return resolveContext([await parseFile(text, options.path)], options);
}

const WHICH_FILE = "name a file with --kubeconfig, or set KUBECONFIG";

interface ConfigFile {
  readonly path: string;
  readonly fields: Fields;
}

async function readText(
  path: string,
  mayBeMissing: boolean,
): Promise<{ readonly path: string; readonly text: string } | undefined> {
  try {
    return { path, text: await readFile(path, "utf8") };
  } catch (error) {
    if (mayBeMissing && isMissing(error)) return undefined;
    throw new InputError(`cannot read kubeconfig ${path}: ${toError(error).message.replace(/^\w+: /u, "")}`, {
      hint: WHICH_FILE,
      cause: error,
    });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

async function parseFile(text: string, path: string): Promise<ConfigFile> {
  let parsed: unknown;
  try {
    parsed = await parseYaml(text);
  } catch {
    // The parser quotes the lines around the fault, and these may hold credentials.
    throw kubeconfigError(path, "not YAML");
  }
  if (!isFields(parsed)) throw kubeconfigError(path, "not a kubeconfig");
  return { path, fields: parsed };
}

/** Programs write kubeconfigs as JSON too, and a pod has none: neither needs the YAML parser in its memory. */
async function parseYaml(text: string): Promise<unknown> {
  if (text.startsWith("{")) {
    try {
      return JSON.parse(text);
    } catch {
      // Braces are YAML too.
    }
  }
  const { load } = await import("js-yaml");
  return load(text);
}

async function resolveContext(files: readonly ConfigFile[], options: KubeconfigOptions): Promise<ClusterAccess> {
  const name = options.context ?? files.map(({ fields }) => textOf(fields, "current-context")).find(isPresent);
  const all = files.map(({ path }) => path).join(", ");
  if (name === undefined || name === "") {
    throw kubeconfigError(all, "no current-context is set", "choose one with --context NAME");
  }
  const context = find(files, "context", name);
  if (context === undefined) {
    const known = namesOf(files, "contexts").join(", ");
    const hint = known === "" ? undefined : `known contexts: ${known}`;
    throw kubeconfigError(all, `there is no context ${JSON.stringify(name)}`, hint);
  }
  const cluster = referred(files, context, "cluster", name);
  const user = textOf(context.fields, "user") === undefined ? undefined : referred(files, context, "user", name);
  const { clock = realClock, env = {} } = options;
  return {
    ...(await clusterAccess(cluster, textOf(context.fields, "cluster") ?? "")),
    context: name,
    namespace: textOf(context.fields, "namespace") ?? "default",
    credentials: await userCredentials(user, cluster, { clock, env, context: name }),
  };
}

async function clusterAccess(
  cluster: Entry,
  name: string,
): Promise<Omit<ClusterAccess, "context" | "namespace" | "credentials">> {
  const { fields, file } = cluster;
  const server = textOf(fields, "server");
  if (server === undefined || !isHttpAddress(server)) {
    throw kubeconfigError(file, `cluster ${name} has no usable server address`, "write it as https://HOST:PORT");
  }
  const proxy = textOf(fields, "proxy-url");
  if (proxy !== undefined && !isHttpAddress(proxy)) {
    throw kubeconfigError(file, `cluster ${name} has a proxy-url that is neither http nor https`);
  }
  const ca = await pemOf(cluster, "certificate-authority");
  const serverName = textOf(fields, "tls-server-name");
  return {
    server,
    skipVerification: fields["insecure-skip-tls-verify"] === true,
    // Compressing what never leaves the machine costs more than it saves.
    compression: fields["disable-compression"] !== true && !isLoopback(server),
    ...(serverName === undefined ? {} : { serverName }),
    ...(proxy === undefined ? {} : { proxy }),
    ...(ca === undefined ? {} : { ca: () => Promise.resolve(ca) }),
  };
}

/** Whether a text is an address with its scheme: `localhost:6443` alone would read as one of the scheme `localhost`. */
function isHttpAddress(text: string): boolean {
  return /^https?:\/\//u.test(text) && URL.canParse(text);
}

function isLoopback(server: string): boolean {
  const { hostname } = new URL(server);
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}

/** The first entry of that name in any file. */
function find(files: readonly ConfigFile[], field: "context" | "cluster" | "user", name: string): Entry | undefined {
  for (const { path, fields } of files) {
    const found = fieldsOf(fields[`${field}s`]).find((entry) => entry["name"] === name)?.[field];
    if (isFields(found)) return { file: path, directory: dirname(path), fields: found };
  }
  return undefined;
}

function referred(files: readonly ConfigFile[], context: Entry, field: "cluster" | "user", contextName: string): Entry {
  const name = textOf(context.fields, field) ?? "";
  const entry = find(files, field, name);
  if (entry !== undefined) return entry;
  throw kubeconfigError(context.file, `context ${contextName} names the ${field} "${name}", which is not there`);
}

function namesOf(files: readonly ConfigFile[], list: string): readonly string[] {
  return files.flatMap(({ fields }) => fieldsOf(fields[list]).flatMap((entry) => textOf(entry, "name") ?? []));
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}
