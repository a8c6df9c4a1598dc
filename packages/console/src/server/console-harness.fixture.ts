import { connect } from "node:net";
import { createApiServer } from "@levelset/apiserver";
import { kind, realClock, realRandom, s, silentLogger } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { Client, installCrd } from "@levelset/operator";
import { ClusterMonitor, ProblemList, serveConsole } from "./index.ts";
import type { ConsoleListener } from "./console-server.ts";
import type { Processes } from "./monitor/processes.ts";
import type { Stories } from "./monitor/stories.ts";

/** A kind for tests. */
export const Simple = kind({
  group: "examples.levelset.dev",
  version: "v1",
  kind: "Simple",
  spec: s.object({ divisor: s.int32() }),
  status: s.object({}),
});

/** No operator processes. */
const NO_PROCESSES: Processes = {
  runs: () => Promise.resolve({ responses: [], unreachable: [] }),
  metrics: () => Promise.resolve(undefined),
};

/** Faults between the console and the cluster. */
interface Outages {
  /** The error of every request while it is set. */
  outage: Error | undefined;
  /** Returns the response to requests of a path; undefined forwards them. */
  refuses: (path: string) => Response | undefined;
}

/** Options of {@link ConsoleHarness}. */
interface HarnessOptions {
  readonly allowActions?: boolean;
  readonly outage?: Error;
  readonly stories?: Stories;
}

/** A console and a cluster in this process, with a client that sends the cookie. */
export class ConsoleHarness implements AsyncDisposable {
  readonly client: Client;
  readonly origin: string;
  readonly outages: Outages;
  readonly #listening: ConsoleListener;
  readonly #stop: AbortController;
  readonly #monitoring: Promise<void>;
  readonly #closeCluster: () => void;
  readonly #token: string;

  private constructor(parts: {
    readonly client: Client;
    readonly outages: Outages;
    readonly listening: ConsoleListener;
    readonly stop: AbortController;
    readonly monitoring: Promise<void>;
    readonly closeCluster: () => void;
    readonly token: string;
  }) {
    this.client = parts.client;
    this.outages = parts.outages;
    this.#listening = parts.listening;
    this.#stop = parts.stop;
    this.#monitoring = parts.monitoring;
    this.#closeCluster = parts.closeCluster;
    this.#token = parts.token;
    this.origin = new URL(parts.listening.url).origin;
  }

  static async open(options: HarnessOptions = {}): Promise<ConsoleHarness> {
    const server = createApiServer({ clock: realClock, random: realRandom, logger: silentLogger });
    const outages: Outages = { outage: options.outage, refuses: () => undefined };
    const fetch: Fetch = (request) => {
      if (outages.outage !== undefined) return Promise.reject(outages.outage);
      const refusal = outages.refuses(new URL(request.url).pathname);
      return refusal === undefined ? server.fetch(request) : Promise.resolve(refusal);
    };
    const client = new Client({ fetch: server.fetch, fieldManager: "test" });
    const stop = new AbortController();
    await installCrd(client, Simple, { clock: realClock, signal: stop.signal });
    const problems = new ProblemList();
    const world = { clock: realClock, random: realRandom, epoch: "e", processes: NO_PROCESSES, problems };
    const cluster = new ClusterMonitor({ fetch, ...world });
    const token = "let-me-in";
    const listening = await serveConsole({
      sources: { cluster, processes: NO_PROCESSES, stories: options.stories, problems, clock: realClock },
      web: new Map([["index.html", { type: "text/html", body: Buffer.from("page"), gzipped: Buffer.from("zipped") }]]),
      session: () => ({ allowActions: options.allowActions === true, buildId: "p", actionToken: "act" }),
      token,
      port: 0,
      logger: silentLogger,
      signal: stop.signal,
    });
    const monitoring = cluster.run(stop.signal);
    return new ConsoleHarness({
      outages,
      client,
      listening,
      stop,
      monitoring,
      closeCluster: () => server.close(),
      token,
    });
  }

  /** Sends a GET request like a page of the console. */
  get(path: string, headers: Readonly<Record<string, string>> = {}, signal?: AbortSignal): Promise<Response> {
    const own = { cookie: this.cookie, ...headers };
    return fetch(this.origin + path, { headers: own, redirect: "manual", signal: signal ?? null });
  }

  /** Requests an action like a page of the console. */
  act(action: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const own = { cookie: this.cookie, "content-type": "application/json", "x-levelset-action-token": "act" };
    return fetch(`${this.origin}/api/actions`, {
      method: "POST",
      headers: { ...own, ...headers },
      body: JSON.stringify(action),
    });
  }

  /** Sends raw bytes and returns everything received until the connection is closed. */
  async send(text: string): Promise<string> {
    const socket = connect(Number(new URL(this.origin).port), "127.0.0.1");
    socket.write(text);
    let received = "";
    for await (const chunk of socket as AsyncIterable<Buffer>) received += chunk.toString();
    return received;
  }

  get cookie(): string {
    return `levelset-console-${new URL(this.origin).port}=${this.#token}`;
  }

  /** Reads a stream until `isEnough` accepts the text so far, and returns the text. */
  async read(
    path: string,
    isEnough: (text: string) => boolean,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const response = await this.get(path, headers);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    if (reader === undefined) return text;
    while (!isEnough(text)) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
    }
    await reader.cancel();
    return text;
  }

  /** Returns the editable text of an object, from its page. */
  async editable(name: string): Promise<string> {
    const page = await this.read(`/api/stream?topic=object:${encodeURIComponent(name)}`, (text) =>
      text.includes('"kind":"document"'),
    );
    const text = /"editable":(?<text>"(?:[^"\\]|\\.)*")/u.exec(page)?.groups?.["text"];
    return JSON.parse(text ?? '""') as string; // the pattern matches a JSON string
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#listening.close();
    await this.#monitoring;
    this.#closeCluster();
  }
}

/** Returns the ID of the last event of a stream. */
export function lastId(text: string): string {
  return [...text.matchAll(/^id: (.*)$/gmu)].at(-1)?.[1] ?? "";
}
