import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UnexpectedStatusError } from "./case-response.ts";
import type { CaseResponse } from "./case-response.ts";
import type { Connection } from "./connection.ts";
import { valueAt, formatShort } from "./match.ts";
import { RunningKubectl } from "./kubectl.ts";
import type { KubectlResult } from "./kubectl.ts";
import { RESOURCES, resourcePath } from "./resource.ts";
import type { ResourceInfo } from "./resource.ts";
import { eventually } from "../../../support/eventually.ts";
import { Watch } from "./watch.ts";

/** A request body: an object that is encoded as JSON, or a text. */
export type Body = object | string;
export type Query = Readonly<Record<string, string | number | boolean>>;

/** Media types of patches by the names of kubectl. */
export const PATCHES = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

/** Environment of a case. */
export interface CaseEnvironment {
  readonly connection: Connection;
  readonly kubeconfig: string;
  readonly directory: string;
  /** Id of this run of this case; part of all names outside of its namespace. */
  readonly id: string;
  /** The kubectl to use; undefined for other cases. */
  readonly kubectl: string | undefined;
}

/**
 * Context of one run of one case: its own namespace and short request helpers. A path with a leading slash is absolute;
 * any other starts with a plural, as in `deployments/web/scale`, and is in the namespace if its kind is. Requests must
 * succeed; `refused` handles those that must fail.
 */
export class CaseContext {
  readonly stage: CaseEnvironment;
  readonly namespace: string;
  readonly #custom = new Map<string, ResourceInfo>();
  #ready: Promise<unknown> | undefined;

  constructor(harness: CaseEnvironment) {
    this.stage = harness;
    this.namespace = harness.id;
  }

  /** Returns a name that no other case uses. */
  unique(name: string): string {
    return `${name}-${this.stage.id}`;
  }

  /** Creates the namespace; every request into it does so implicitly. */
  async ready(): Promise<void> {
    this.#ready ??= this.send("POST", "/api/v1/namespaces", { body: { metadata: { name: this.namespace } } });
    await this.#ready;
  }

  /** Registers a custom kind for short paths. */
  registerKind(plural: string, facts: ResourceInfo): void {
    this.#custom.set(plural, facts);
  }

  facts(short: string): ResourceInfo {
    const plural = short.split("/")[0] ?? "";
    const facts = this.#custom.get(plural) ?? RESOURCES.get(plural);
    if (facts === undefined) throw new Error(`the suite knows no ${plural}`);
    return facts;
  }

  path(short: string): string {
    return short.startsWith("/") ? short : resourcePath(this.facts(short), short, this.namespace);
  }

  /** Sends a request and returns the response, whatever its status. */
  async send(
    method: string,
    short: string,
    options: { body?: Body; query?: Query; headers?: Readonly<Record<string, string | undefined>> } = {},
  ): Promise<CaseResponse> {
    const path = this.path(short);
    if (path.includes(`/namespaces/${this.namespace}`) && this.#ready === undefined) await this.ready();
    const { body, query = {}, headers = {} } = options;
    return this.stage.connection.call({
      method,
      path,
      query,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  }

  async get(short: string, query: Query = {}, headers: Readonly<Record<string, string>> = {}): Promise<CaseResponse> {
    return accepted(await this.send("GET", short, { query, headers }));
  }

  /** Creates an object; type and, unless set, name are added. */
  async create(short: string, object: object, query: Query = {}): Promise<CaseResponse> {
    return accepted(await this.send("POST", short, { body: this.withTypeMeta(short, object), query }));
  }

  /** Replaces an object or a subresource. */
  async replace(short: string, object: object, query: Query = {}): Promise<CaseResponse> {
    return accepted(await this.send("PUT", short, { body: this.withTypeMeta(short, object), query }));
  }

  async patch(type: keyof typeof PATCHES, short: string, patch: Body, query: Query = {}): Promise<CaseResponse> {
    const headers = { "content-type": PATCHES[type] };
    return accepted(await this.send("PATCH", short, { body: patch, query, headers }));
  }

  /** Applies server-side. Type and name of the object are taken from the path. */
  async apply(short: string, manager: string, object: object, query: Query = {}): Promise<CaseResponse> {
    const name = short.split("/")[1] ?? "";
    const body = {
      ...this.withTypeMeta(short, object),
      metadata: { name, ...(valueAt(object, "metadata") as object | undefined) },
    };
    return this.patch("apply", short, body, { fieldManager: manager, ...query });
  }

  async delete(short: string, options?: Body, query: Query = {}): Promise<CaseResponse> {
    return accepted(await this.send("DELETE", short, { ...(options === undefined ? {} : { body: options }), query }));
  }

  async watch(short: string, query: Query = {}, headers: Readonly<Record<string, string>> = {}): Promise<Watch> {
    if (!short.startsWith("/")) await this.ready();
    const path = this.path(short);
    const response = await this.stage.connection.open({ method: "GET", path, query: { watch: 1, ...query }, headers });
    return new Watch(response);
  }

  /** Resolves once the object is gone. */
  async untilDeleted(short: string): Promise<void> {
    await eventually(`${short} is gone`, async () => (await this.send("GET", short)).status === 404);
  }

  withTypeMeta(short: string, object: object): object {
    if (short.startsWith("/")) return object;
    const { apiVersion, kind } = this.facts(short);
    return { apiVersion, kind, ...object };
  }

  /** Starts kubectl in the namespace. */
  async startKubectl(...args: readonly string[]): Promise<RunningKubectl> {
    const { kubectl, kubeconfig, directory } = this.stage;
    if (kubectl === undefined) throw new Error("this case has no kubectl");
    await this.ready();
    await mkdir(directory, { recursive: true });
    const env = {
      HOME: join(directory, ".."),
      PATH: "/usr/bin:/bin",
      KUBECONFIG: kubeconfig,
      EDITOR: join(directory, "editor.sh"),
      KUBECTL_APPLYSET: "true",
    };
    return new RunningKubectl({ binary: kubectl, args: ["-n", this.namespace, ...args], env, cwd: directory });
  }

  /** Runs kubectl and returns its result, whatever the exit code. */
  async tryKubectl(args: readonly string[], input = ""): Promise<KubectlResult> {
    return (await this.startKubectl(...args)).wait(input);
  }

  /** Runs kubectl and returns its standard output; fails if kubectl fails. */
  async kubectl(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.tryKubectl(args);
    if (code !== 0) throw new Error(`kubectl ${args.join(" ")} ends with ${code}: ${formatShort(stderr + stdout)}`);
    return stdout;
  }

  /** Starts kubectl in the background; a failure is reported when the promise is awaited. */
  kubectlMeanwhile(...args: readonly string[]): Promise<string> {
    const output = this.kubectl(...args);
    output.catch(() => {});
    return output;
  }

  /** Runs kubectl and returns its standard error; fails if kubectl succeeds. */
  async kubectlFails(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.tryKubectl(args);
    if (code === 0) throw new Error(`kubectl ${args.join(" ")} succeeds: ${formatShort(stdout)}`);
    return stderr;
  }

  /** Writes a file into kubectl's working directory: objects as JSON, several as a List, a text as is. */
  async file(name: string, content: string | readonly object[], mode = 0o600): Promise<string> {
    await mkdir(this.stage.directory, { recursive: true });
    const object = content.length === 1 ? content[0] : { apiVersion: "v1", kind: "List", items: content };
    await writeFile(join(this.stage.directory, name), typeof content === "string" ? content : JSON.stringify(object), {
      mode,
    });
    return name;
  }
}

function accepted(response: CaseResponse): CaseResponse {
  if (response.status >= 200 && response.status < 300) return response;
  throw new UnexpectedStatusError(response);
}
