import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { InputError, toError } from "@levelset/core";
import { load } from "js-yaml";

/** All that is needed to reach a cluster as somebody. Holds secrets: never log it. */
export interface ClusterAccess {
  readonly server: string;
  /** The namespace that the context names, `default` if none. */
  readonly namespace: string;
  readonly context: string;
  readonly ca?: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly skipVerification: boolean;
  readonly serverName?: string;
  /** The bearer token, read anew for each request where it comes from a file. */
  readonly token?: () => Promise<string>;
}

/** Reads a kubeconfig file and resolves one of its contexts: `context`, else the current one. */
export async function loadKubeconfig(path: string, context?: string): Promise<ClusterAccess> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new InputError(`cannot read kubeconfig ${path}: ${toError(error).message.replace(/^\w+: /u, "")}`, {
      hint: "name a file with --kubeconfig, or set KUBECONFIG",
      cause: error,
    });
  }
  return parseKubeconfig(text, { path, ...(context === undefined ? {} : { context }) });
}

/** Resolves a context of a kubeconfig's text. Files that it names are read relative to `path`. */
export async function parseKubeconfig(
  text: string,
  options: { readonly path: string; readonly context?: string },
): Promise<ClusterAccess> {
  const config = parseYaml(text, options.path);
  const problem = (message: string, hint?: string): InputError =>
    new InputError(`kubeconfig ${options.path}: ${message}`, hint === undefined ? {} : { hint });

  const context = options.context ?? textOf(config["current-context"]);
  if (context === undefined || context === "") {
    throw problem("no current-context is set", "choose one with --context NAME");
  }
  const contextEntry = named(config["contexts"], context, "context");
  if (contextEntry === undefined) {
    const known = namesOf(config["contexts"]).join(", ");
    throw problem(
      `there is no context ${JSON.stringify(context)}`,
      known === "" ? undefined : `known contexts: ${known}`,
    );
  }
  const clusterName = textOf(contextEntry["cluster"]) ?? "";
  const cluster = named(config["clusters"], clusterName, "cluster");
  if (cluster === undefined) throw problem(`context ${context} names the cluster "${clusterName}", which is not there`);
  const userName = textOf(contextEntry["user"]);
  const user = userName === undefined ? {} : named(config["users"], userName, "user");
  if (user === undefined) throw problem(`context ${context} names the user "${userName}", which is not there`);

  const server = textOf(cluster["server"]);
  if (server === undefined || !URL.canParse(server))
    throw problem(`cluster ${clusterName} has no usable server address`);
  const files = new Files(dirname(options.path), problem);
  return {
    server,
    context,
    namespace: textOf(contextEntry["namespace"]) ?? "default",
    skipVerification: cluster["insecure-skip-tls-verify"] === true,
    ...present("serverName", textOf(cluster["tls-server-name"])),
    ...present("ca", await files.pem(cluster, "certificate-authority")),
    ...(await credentials(user, files, problem)),
  };
}

type Entry = Readonly<Record<string, unknown>>;
type Problem = (message: string, hint?: string) => InputError;

async function credentials(
  user: Entry,
  files: Files,
  problem: Problem,
): Promise<Pick<ClusterAccess, "certificate" | "key" | "token">> {
  for (const unsupported of ["exec", "auth-provider"]) {
    if (user[unsupported] !== undefined) {
      throw problem(
        `credentials by ${unsupported} are not supported yet`,
        "use a context with a client certificate or a token, such as a service account's",
      );
    }
  }
  const certificate = await files.pem(user, "client-certificate");
  const key = await files.pem(user, "client-key");
  if ((certificate === undefined) !== (key === undefined)) {
    throw problem("a client certificate needs its key, and a key its certificate");
  }
  const token = textOf(user["token"]);
  const tokenFile = textOf(user["tokenFile"]);
  return {
    ...present("certificate", certificate),
    ...present("key", key),
    ...(tokenFile === undefined ? {} : { token: () => files.read(tokenFile, "tokenFile").then((text) => text.trim()) }),
    // As kubectl: a token that stands in the file comes second to one read from a file.
    ...(token !== undefined && tokenFile === undefined ? { token: () => Promise.resolve(token) } : {}),
  };
}

class Files {
  readonly #directory: string;
  readonly #problem: Problem;

  constructor(directory: string, problem: Problem) {
    this.#directory = directory;
    this.#problem = problem;
  }

  async read(path: string, field: string): Promise<string> {
    try {
      return await readFile(resolve(this.#directory, path), "utf8");
    } catch {
      throw this.#problem(`${field} names ${path}, which cannot be read`);
    }
  }

  /** `<field>-data` in base64, else the file that `<field>` names. */
  async pem(entry: Entry, field: string): Promise<string | undefined> {
    const data = textOf(entry[`${field}-data`]);
    if (data !== undefined && data !== "") return Buffer.from(data, "base64").toString("utf8");
    const path = textOf(entry[field]);
    return path === undefined || path === "" ? undefined : this.read(path, field);
  }
}

function parseYaml(text: string, path: string): Entry {
  let parsed: unknown;
  try {
    parsed = load(text);
  } catch {
    // The parser quotes the lines around the fault, and these may hold credentials.
    throw new InputError(`kubeconfig ${path}: not YAML`);
  }
  if (!isEntry(parsed)) throw new InputError(`kubeconfig ${path}: not a kubeconfig`);
  return parsed;
}

function named(list: unknown, name: string, field: string): Entry | undefined {
  const found = entries(list).find((entry) => entry["name"] === name)?.[field];
  return isEntry(found) ? found : undefined;
}

function namesOf(list: unknown): readonly string[] {
  return entries(list).flatMap((entry) => textOf(entry["name"]) ?? []);
}

function entries(list: unknown): readonly Entry[] {
  return Array.isArray(list) ? list.filter(isEntry) : [];
}

function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function present<Name extends string, T>(name: Name, value: T | undefined): { readonly [K in Name]?: T } {
  // A computed key widens to string; the one key is `name`.
  return (value === undefined ? {} : { [name]: value }) as { readonly [K in Name]?: T };
}
