import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Refused } from "./answer.ts";
import type { Answer } from "./answer.ts";
import type { Connection } from "./connection.ts";
import { at, show } from "./match.ts";
import { RunningKubectl } from "./kubectl.ts";
import type { KubectlEnd } from "./kubectl.ts";
import { RESOURCES, resourcePath } from "./resource.ts";
import type { ResourceFacts } from "./resource.ts";
import { until } from "./until.ts";
import { Watch } from "./watch.ts";

/** What a body may be: an object that becomes JSON, or a text as it is. */
export type Body = object | string;
export type Query = Readonly<Record<string, string | number | boolean>>;

/** The media types of patches, by the names that kubectl has for them. */
export const PATCHES = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

/** Where a scene takes place. */
export interface Stage {
  readonly connection: Connection;
  readonly kubeconfig: string;
  readonly directory: string;
  /** Names this run of this case; part of every name that lies outside of its namespace. */
  readonly id: string;
  /** The kubectl to use; undefined for cases without one. */
  readonly kubectl: string | undefined;
}

/**
 * The world of one run of one case: a namespace of its own, and requests that are short to write. A path that begins with a slash
 * is taken as it is; any other begins with a plural, as in `deployments/web/scale`, and is in the namespace if its kind is.
 * Requests fail unless they are answered with success; `refused` takes those that must not be.
 */
export class Scene {
  readonly stage: Stage;
  readonly namespace: string;
  readonly #custom = new Map<string, ResourceFacts>();
  #ready: Promise<unknown> | undefined;

  constructor(stage: Stage) {
    this.stage = stage;
    this.namespace = stage.id;
  }

  /** A name that no other case uses. */
  unique(name: string): string {
    return `${name}-${this.stage.id}`;
  }

  /** Makes the namespace; every request into it does so by itself. */
  async ready(): Promise<void> {
    this.#ready ??= this.send("POST", "/api/v1/namespaces", { body: { metadata: { name: this.namespace } } });
    await this.#ready;
  }

  /** Lets short paths name a kind that the case has declared. */
  declare(plural: string, facts: ResourceFacts): void {
    this.#custom.set(plural, facts);
  }

  facts(short: string): ResourceFacts {
    const plural = short.split("/")[0] ?? "";
    const facts = this.#custom.get(plural) ?? RESOURCES.get(plural);
    if (facts === undefined) throw new Error(`the suite knows no ${plural}`);
    return facts;
  }

  path(short: string): string {
    return short.startsWith("/") ? short : resourcePath(this.facts(short), short, this.namespace);
  }

  /** Sends a request and gives its answer, whatever it says. */
  async send(
    method: string,
    short: string,
    options: { body?: Body; query?: Query; headers?: Readonly<Record<string, string | undefined>> } = {},
  ): Promise<Answer> {
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

  async get(short: string, query: Query = {}, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return accepted(await this.send("GET", short, { query, headers }));
  }

  /** Creates an object; its type and, unless given, its name are added. */
  async create(short: string, object: object, query: Query = {}): Promise<Answer> {
    return accepted(await this.send("POST", short, { body: this.typed(short, object), query }));
  }

  /** Replaces an object, or a subresource of it. */
  async replace(short: string, object: object, query: Query = {}): Promise<Answer> {
    return accepted(await this.send("PUT", short, { body: this.typed(short, object), query }));
  }

  async patch(type: keyof typeof PATCHES, short: string, patch: Body, query: Query = {}): Promise<Answer> {
    const headers = { "content-type": PATCHES[type] };
    return accepted(await this.send("PATCH", short, { body: patch, query, headers }));
  }

  /** Applies on the server's side. The type and the name of the object come from the path. */
  async apply(short: string, manager: string, object: object, query: Query = {}): Promise<Answer> {
    const name = short.split("/")[1] ?? "";
    const body = {
      ...this.typed(short, object),
      metadata: { name, ...(at(object, "metadata") as object | undefined) },
    };
    return this.patch("apply", short, body, { fieldManager: manager, ...query });
  }

  async delete(short: string, options?: Body, query: Query = {}): Promise<Answer> {
    return accepted(await this.send("DELETE", short, { ...(options === undefined ? {} : { body: options }), query }));
  }

  async watch(short: string, query: Query = {}, headers: Readonly<Record<string, string>> = {}): Promise<Watch> {
    if (!short.startsWith("/")) await this.ready();
    const path = this.path(short);
    const response = await this.stage.connection.open({ method: "GET", path, query: { watch: 1, ...query }, headers });
    return new Watch(response);
  }

  /** Resolves once the object is gone. */
  async gone(short: string): Promise<void> {
    await until(`${short} is gone`, async () => (await this.send("GET", short)).status === 404);
  }

  typed(short: string, object: object): object {
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

  /** Runs kubectl to its end, whatever that is. */
  async tryKubectl(args: readonly string[], input = ""): Promise<KubectlEnd> {
    return (await this.startKubectl(...args)).end(input);
  }

  /** What kubectl says on its standard output; fails if it fails. */
  async kubectl(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.tryKubectl(args);
    if (code !== 0) throw new Error(`kubectl ${args.join(" ")} ends with ${code}: ${show(stderr + stdout)}`);
    return stdout;
  }

  /** The same, without anybody waiting yet: a failure is told to who does later. */
  kubectlMeanwhile(...args: readonly string[]): Promise<string> {
    const said = this.kubectl(...args);
    said.catch(() => {});
    return said;
  }

  /** What kubectl says on its standard error; fails unless it fails. */
  async kubectlFails(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.tryKubectl(args);
    if (code === 0) throw new Error(`kubectl ${args.join(" ")} succeeds: ${show(stdout)}`);
    return stderr;
  }

  /** Writes a file into kubectl's working directory: objects in JSON, several as a List, and a text as it is. */
  async file(name: string, content: string | readonly object[], mode = 0o600): Promise<string> {
    await mkdir(this.stage.directory, { recursive: true });
    const object = content.length === 1 ? content[0] : { apiVersion: "v1", kind: "List", items: content };
    await writeFile(join(this.stage.directory, name), typeof content === "string" ? content : JSON.stringify(object), {
      mode,
    });
    return name;
  }
}

function accepted(answer: Answer): Answer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  throw new Refused(answer);
}
