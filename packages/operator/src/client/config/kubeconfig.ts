import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { InputError, realClock } from "@levelset/core";
import { isLoopbackHost, toError } from "@levelset/core/internal";
import type { Clock } from "@levelset/core";
import type { ClusterConfig } from "./cluster-config.ts";
import { fieldsOf, isFields, kubeconfigError, pemOf, stringField } from "./kubeconfig-entry.ts";
import type { KubeconfigEntry, KubeconfigFields } from "./kubeconfig-entry.ts";
import { userCredentials } from "./kubeconfig-user.ts";

/** Options for reading a kubeconfig. */
export interface KubeconfigOptions {
  /** Default: the current context. */
  readonly context?: string | undefined;
  /** Environment of credential plugins. Without it they get only the variables of the kubeconfig. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
}

/**
 * Reads a kubeconfig and resolves one of its contexts. Several files are merged: the first entry of each name wins, and
 * missing files are skipped if at least one exists (docs: Organizing Cluster Access Using kubeconfig Files). Rejects
 * with an `InputError` if no file exists or an entry is invalid.
 */
export async function loadKubeconfig(
  paths: string | readonly string[],
  options: KubeconfigOptions = {},
): Promise<ClusterConfig> {
  const listed = typeof paths === "string" ? [paths] : paths;
  const read = await Promise.all(listed.map((path) => readText(path, listed.length > 1)));
  const files = read.flatMap((file) => file ?? []);
  if (files.length === 0) {
    throw new InputError(`none of the kubeconfig files exists: ${listed.join(", ")}`, { hint: WHICH_FILE });
  }
  return resolveContext(await Promise.all(files.map(({ path, text }) => parseFile(text, path))), options);
}

/**
 * Resolves a context of a kubeconfig text. Relative file names are resolved against `path`. Rejects with an
 * `InputError`.
 */
export async function parseKubeconfig(
  text: string,
  options: KubeconfigOptions & { readonly path: string },
): Promise<ClusterConfig> {
  return resolveContext([await parseFile(text, options.path)], options);
}

const WHICH_FILE = "name a file with --kubeconfig, or set KUBECONFIG";

interface ConfigFile {
  readonly path: string;
  readonly fields: KubeconfigFields;
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
    // The parser's message quotes lines that may contain credentials.
    throw kubeconfigError(path, "not YAML");
  }
  if (!isFields(parsed)) throw kubeconfigError(path, "not a kubeconfig");
  return { path, fields: parsed };
}

/** Parses JSON without loading the YAML parser, which saves memory. */
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

async function resolveContext(files: readonly ConfigFile[], options: KubeconfigOptions): Promise<ClusterConfig> {
  const name = options.context ?? files.map(({ fields }) => stringField(fields, "current-context")).find(isPresent);
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
  const user = stringField(context.fields, "user") === undefined ? undefined : referred(files, context, "user", name);
  const { clock = realClock, env = {} } = options;
  return {
    ...(await clusterAccess(cluster, stringField(context.fields, "cluster") ?? "")),
    context: name,
    namespace: stringField(context.fields, "namespace") ?? "default",
    credentials: await userCredentials(user, cluster, { clock, env, context: name }),
  };
}

async function clusterAccess(
  cluster: KubeconfigEntry,
  name: string,
): Promise<Omit<ClusterConfig, "context" | "namespace" | "credentials">> {
  const { fields, file } = cluster;
  const server = stringField(fields, "server");
  if (server === undefined || !isHttpAddress(server)) {
    throw kubeconfigError(file, `cluster ${name} has no usable server address`, "write it as https://HOST:PORT");
  }
  const proxy = stringField(fields, "proxy-url");
  if (proxy !== undefined && !isHttpAddress(proxy)) {
    throw kubeconfigError(file, `cluster ${name} has a proxy-url that is neither http nor https`);
  }
  const ca = await pemOf(cluster, "certificate-authority");
  const serverName = stringField(fields, "tls-server-name");
  return {
    server,
    insecureSkipTlsVerify: fields["insecure-skip-tls-verify"] === true,
    // Compression does not pay on the loopback interface.
    compression: fields["disable-compression"] !== true && !isLoopbackHost(new URL(server).hostname),
    ...(serverName === undefined ? {} : { serverName }),
    ...(proxy === undefined ? {} : { proxy }),
    ...(ca === undefined ? {} : { ca: () => Promise.resolve(ca) }),
  };
}

/** Returns whether a text is an http(s) URL: `localhost:6443` would parse as a URL with the scheme `localhost`. */
function isHttpAddress(text: string): boolean {
  return /^https?:\/\//u.test(text) && URL.canParse(text);
}

/** Returns the first entry of that name in any file. */
function find(
  files: readonly ConfigFile[],
  field: "context" | "cluster" | "user",
  name: string,
): KubeconfigEntry | undefined {
  for (const { path, fields } of files) {
    const found = fieldsOf(fields[`${field}s`]).find((entry) => entry["name"] === name)?.[field];
    if (isFields(found)) return { file: path, directory: dirname(path), fields: found };
  }
  return undefined;
}

function referred(
  files: readonly ConfigFile[],
  context: KubeconfigEntry,
  field: "cluster" | "user",
  contextName: string,
): KubeconfigEntry {
  const name = stringField(context.fields, field) ?? "";
  const entry = find(files, field, name);
  if (entry !== undefined) return entry;
  throw kubeconfigError(context.file, `context ${contextName} names the ${field} "${name}", which does not exist`);
}

function namesOf(files: readonly ConfigFile[], list: string): readonly string[] {
  return files.flatMap(({ fields }) => fieldsOf(fields[list]).flatMap((entry) => stringField(entry, "name") ?? []));
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}
