import { connect } from "node:net";
import { createApiServer } from "@levelset/apiserver";
import { kind, realClock, realRandom, s, silentLogger } from "@levelset/core";
import type { Fetch } from "@levelset/core";
import { Client, installKind } from "@levelset/operator";
import { ClusterView, ProblemBoard, serveConsole } from "./index.ts";
import type { ListeningConsole } from "./console-server.ts";
import type { Processes } from "./processes.ts";

/** A kind to look at. */
export const Simple = kind({
  group: "examples.levelset.dev",
  version: "v1",
  kind: "Simple",
  spec: s.object({ divisor: s.int32() }),
  status: s.object({}),
});

/** No operators run. */
const NOBODY: Processes = {
  runs: () => Promise.resolve({ told: [], silent: [] }),
  figures: () => Promise.resolve(undefined),
};

/** What stands between the console and the cluster. */
interface Weather {
  /** What every request comes to, while it is set. */
  outage: Error | undefined;
  /** What requests of a path are answered with instead. */
  refuses: (path: string) => Response | undefined;
}

/** How a stage begins. */
interface StageOptions {
  readonly allowActions?: boolean;
  readonly outage?: Error;
}

/** A console on a cluster in this process, and a browser that keeps its cookie. */
export class Stage implements AsyncDisposable {
  readonly client: Client;
  readonly origin: string;
  readonly weather: Weather;
  readonly #listening: ListeningConsole;
  readonly #stop: AbortController;
  readonly #looking: Promise<void>;
  readonly #closeCluster: () => void;
  readonly #token: string;

  private constructor(parts: {
    readonly client: Client;
    readonly weather: Weather;
    readonly listening: ListeningConsole;
    readonly stop: AbortController;
    readonly looking: Promise<void>;
    readonly closeCluster: () => void;
    readonly token: string;
  }) {
    this.client = parts.client;
    this.weather = parts.weather;
    this.#listening = parts.listening;
    this.#stop = parts.stop;
    this.#looking = parts.looking;
    this.#closeCluster = parts.closeCluster;
    this.#token = parts.token;
    this.origin = new URL(parts.listening.url).origin;
  }

  static async open(options: StageOptions = {}): Promise<Stage> {
    const server = createApiServer({ clock: realClock, random: realRandom, logger: silentLogger });
    const weather: Weather = { outage: options.outage, refuses: () => undefined };
    const fetch: Fetch = (request) => {
      if (weather.outage !== undefined) return Promise.reject(weather.outage);
      const refusal = weather.refuses(new URL(request.url).pathname);
      return refusal === undefined ? server.fetch(request) : Promise.resolve(refusal);
    };
    const client = new Client({ fetch: server.fetch, fieldManager: "test" });
    const stop = new AbortController();
    await installKind(client, Simple, { clock: realClock, signal: stop.signal });
    const board = new ProblemBoard();
    const world = { clock: realClock, random: realRandom, epoch: "e", processes: NOBODY, board };
    const cluster = new ClusterView({ fetch, ...world });
    const token = "let-me-in";
    const listening = await serveConsole({
      sources: { cluster, processes: NOBODY, board, clock: realClock },
      web: new Map([["index.html", { type: "text/html", body: Buffer.from("page"), gzipped: Buffer.from("zipped") }]]),
      session: () => ({ allowActions: options.allowActions === true, pages: "p", actionToken: "act" }),
      token,
      port: 0,
      logger: silentLogger,
      signal: stop.signal,
    });
    const looking = cluster.run(stop.signal);
    return new Stage({ weather, client, listening, stop, looking, closeCluster: () => server.close(), token });
  }

  /** Asks as a page of the console would. */
  get(path: string, headers: Readonly<Record<string, string>> = {}, signal?: AbortSignal): Promise<Response> {
    const own = { cookie: this.cookie, ...headers };
    return fetch(this.origin + path, { headers: own, redirect: "manual", signal: signal ?? null });
  }

  /** Asks for an action as a page of the console would. */
  act(action: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const own = { cookie: this.cookie, "content-type": "application/json", "x-levelset-action-token": "act" };
    return fetch(`${this.origin}/api/actions`, {
      method: "POST",
      headers: { ...own, ...headers },
      body: JSON.stringify(action),
    });
  }

  /** Sends these very bytes, and answers with all that comes back until somebody hangs up. */
  async send(text: string): Promise<string> {
    const socket = connect(Number(new URL(this.origin).port), "127.0.0.1");
    socket.write(text);
    let told = "";
    for await (const chunk of socket as AsyncIterable<Buffer>) told += chunk.toString();
    return told;
  }

  get cookie(): string {
    return `levelset-console-${new URL(this.origin).port}=${this.#token}`;
  }

  /** Reads a stream until what came so far is enough; answers with all of it. */
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

  /** What of an object can be edited, as its page says. */
  async editable(name: string): Promise<string> {
    const told = await this.read(`/api/stream?topic=object:${encodeURIComponent(name)}`, (text) =>
      text.includes('"kind":"document"'),
    );
    const text = /"editable":(?<text>"(?:[^"\\]|\\.)*")/u.exec(told)?.groups?.["text"];
    return JSON.parse(text ?? '""') as string; // what is matched is a text
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#listening.close();
    await this.#looking;
    this.#closeCluster();
  }
}

/** The id of the last event of a stream. */
export function lastId(text: string): string {
  return [...text.matchAll(/^id: (.*)$/gmu)].at(-1)?.[1] ?? "";
}
