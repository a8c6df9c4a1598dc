import type { IncomingMessage, ServerResponse } from "node:http";
import { InputError, toError } from "@levelset/core";
import type { Logger } from "@levelset/core";
import { openPort } from "@levelset/operator/port";
import { ACTION_TOKEN_HEADER, parseAction, parsePositions } from "../api/index.ts";
import type { Session, SourceName } from "../api/index.ts";
import { act } from "./actions.ts";
import { sendEvents } from "./event-stream.ts";
import { cookieOf, isLocal, isSameOrigin, isSameSecret, PAGE_HEADERS } from "./guard.ts";
import { problemOf } from "./problem-of.ts";
import { searchFleet } from "./search.ts";
import { topicNamed } from "./sources.ts";
import type { Sources } from "./sources.ts";
import type { WebFiles } from "./web-files.ts";

/** How large an action may be: as large as an object that a cluster stores. */
const BODY_MAX = 3 * 1024 * 1024;
/** How many topics one page follows. */
const TOPICS_MAX = 16;
/** How many pages follow at a time. Each may keep a copy of all lists waiting; a page that nobody sees does not count. */
const STREAMS_MAX = 32;
const CROWDED = `more than ${STREAMS_MAX} pages of this console are open: close some`;
/** How many connections there are at a time. */
const CONNECTIONS_MAX = 256;
/** How long whoever asks may take to say what, and how often that is looked at. */
const ASKING = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000 } as const;

/** What the server is made of. */
export interface ConsoleServerOptions {
  readonly sources: Sources;
  readonly web: WebFiles;
  /** What pages must know, as it is now. */
  readonly session: () => Session;
  /** What a browser must show to be told anything. */
  readonly token: string;
  /** 0: any free one. */
  readonly port: number;
  readonly logger: Logger;
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
}

/** A server that listens. */
export interface ListeningConsole {
  /** The address for people: with the token. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the pages and what they show, on this machine only. */
export async function serveConsole(options: ConsoleServerOptions): Promise<ListeningConsole> {
  const { port, token, logger } = options;
  const streams: OpenStreams = { count: 0 };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await new Exchange({ ...options, streams }, request, response).answer();
    } catch (error) {
      logger.error("request failed", { error: toError(error) });
      response.destroy();
    }
  };
  const opened = await openPort({ port }, answer, ASKING);
  opened.server.maxConnections = CONNECTIONS_MAX;
  return { url: `${opened.url}/?token=${token}`, close: () => opened.close() };
}

/** How many streams are open. */
interface OpenStreams {
  count: number;
}

/** What every address is relative to. Which host it names is not looked at. */
const BASE = "http://localhost";

/** One request and its answer. */
class Exchange {
  readonly #options: ConsoleServerOptions & { readonly streams: OpenStreams };
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #url: URL;

  constructor(
    options: ConsoleServerOptions & { readonly streams: OpenStreams },
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    const { url = "/" } = request;
    this.#options = options;
    this.#request = request;
    this.#response = response;
    // What is no address is a page that there is not.
    this.#url = new URL(URL.canParse(url, BASE) ? url : "/assets/", BASE);
  }

  async answer(): Promise<void> {
    const { method } = this.#request;
    const { pathname } = this.#url;
    if (!isLocal(this.#request)) return this.#refuse(403, "this console is for browsers on its own machine");
    const isRead = method === "GET" || method === "HEAD";
    if (!pathname.startsWith("/api/")) {
      return isRead ? this.#page(pathname) : this.#refuse(405, "only GET");
    }
    if (!isSameOrigin(this.#request)) return this.#refuse(403, "only pages of this console may ask");
    if (!isSameSecret(cookieOf(this.#request, this.#cookie), this.#options.token)) {
      return this.#refuse(401, "open the address that levelset printed: it carries the token");
    }
    if (pathname === "/api/actions") {
      return method === "POST" ? this.#action() : this.#refuse(405, "only POST");
    }
    if (!isRead) return this.#refuse(405, "only GET");
    switch (pathname) {
      case "/api/session":
        // A stream that is refused cannot tell a page why.
        return this.#isCrowded ? this.#refuse(503, CROWDED) : this.#json(200, this.#options.session());
      case "/api/stream":
        if (method === "HEAD") return this.#refuse(405, "only GET");
        return this.#isCrowded ? this.#refuse(503, CROWDED) : this.#stream();
      case "/api/search":
        return this.#search();
      default:
        return this.#refuse(404, "there is no such page");
    }
  }

  /** Browsers keep cookies by host and not by port: consoles side by side need names of their own. */
  get #cookie(): string {
    return `levelset-console-${this.#request.socket.localPort ?? 0}`;
  }

  get #isCrowded(): boolean {
    return this.#options.streams.count >= STREAMS_MAX;
  }

  #page(pathname: string): void {
    const { token, web } = this.#options;
    const shown = this.#url.searchParams.get("token");
    if (shown !== null && isSameSecret(shown, token)) {
      this.#url.searchParams.delete("token");
      const cookie = `${this.#cookie}=${token}; Path=/; HttpOnly; SameSite=Strict`;
      // One slash: two would name another host.
      const location = `/${pathname.replace(/^\/+/u, "")}${this.#url.search}`;
      this.#response
        .writeHead(303, { ...PAGE_HEADERS, location, "set-cookie": cookie, "cache-control": "no-store" })
        .end();
      return;
    }
    const isAsset = pathname.startsWith("/assets/");
    const file = web.get(isAsset ? pathname.slice("/assets/".length) : "index.html");
    if (file === undefined) return this.#refuse(404, "there is no such file");
    const canUnzip = /\bgzip\b/u.test(this.#request.headers["accept-encoding"] ?? "");
    this.#response
      .writeHead(200, {
        ...PAGE_HEADERS,
        "content-type": file.type,
        "cache-control": "no-cache",
        ...(canUnzip ? { "content-encoding": "gzip" } : {}),
      })
      .end(canUnzip ? file.gzipped : file.body);
  }

  async #stream(): Promise<void> {
    const { sources, streams } = this.#options;
    const names = this.#url.searchParams.getAll("topic");
    if (names.length > TOPICS_MAX) return this.#refuse(400, `more than ${TOPICS_MAX} topics`);
    if (new Set(names).size < names.length) return this.#refuse(400, "a topic is asked for twice");
    const last = this.#request.headers["last-event-id"];
    const after = typeof last === "string" && last !== "" ? last : (this.#url.searchParams.get("after") ?? "");
    streams.count += 1;
    try {
      const topics = names.map((name) => ({ name, topic: topicNamed(name, sources) }));
      const positions = parsePositions(after, names.length);
      await sendEvents(this.#response, { topics, positions, clock: sources.clock, signal: this.#whileAsked() });
    } catch (error) {
      if (this.#response.headersSent) throw error;
      this.#json(400, problemOf(error, "console"));
    } finally {
      streams.count -= 1;
    }
  }

  /** Aborts when whoever asked is gone, or the server stops. */
  #whileAsked(): AbortSignal {
    const { signal } = this.#options;
    const gone = new AbortController();
    const onEnd = (): void => gone.abort();
    signal.addEventListener("abort", onEnd, { once: true });
    this.#response.once("close", () => {
      signal.removeEventListener("abort", onEnd);
      onEnd();
    });
    if (signal.aborted || this.#response.destroyed) onEnd();
    return gone.signal;
  }

  async #search(): Promise<void> {
    const { fleet } = this.#options.sources;
    const { searchParams: query } = this.#url;
    try {
      const asked = { plural: query.get("plural") ?? "", search: query.get("search") ?? "" };
      this.#json(200, await searchFleet(asked, fleet, this.#whileAsked()));
    } catch (error) {
      this.#json(400, problemOf(error, "fleet"));
    }
  }

  async #action(): Promise<void> {
    const { sources, signal } = this.#options;
    const session = this.#options.session();
    const shown = this.#request.headers[ACTION_TOKEN_HEADER];
    if (!session.allowActions) {
      return this.#refuse(403, "this console only looks: start it with --allow-actions to do things");
    }
    if (typeof shown !== "string" || !isSameSecret(shown, session.actionToken)) {
      return this.#refuse(403, "the action token is missing or wrong: load the page again");
    }
    let about: SourceName = "console";
    try {
      const action = parseAction(await this.#body());
      if (typeof action === "string") throw new InputError(action);
      const { cluster, fleet } = sources;
      about = "resource" in action ? "fleet" : "cluster";
      this.#json(200, { done: await act(action, { cluster, fleet }, signal) });
    } catch (error) {
      this.#json(400, problemOf(error, about));
    }
  }

  async #body(): Promise<unknown> {
    if (!/^application\/json\b/u.test(this.#request.headers["content-type"] ?? "")) {
      throw new InputError("an action is sent as application/json");
    }
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of this.#request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > BODY_MAX) throw new InputError("the action is too large");
      chunks.push(chunk);
    }
    try {
      return JSON.parse(Buffer.concat(chunks).toString("utf8"));
    } catch (error) {
      throw new InputError("the action is no JSON", { cause: error });
    }
  }

  #refuse(code: number, message: string): void {
    const reason = code === 401 ? "unauthorized" : code === 403 ? "forbidden" : "refused";
    this.#json(code, { source: "console", about: "", reason, message, hint: "" });
  }

  #json(code: number, value: unknown): void {
    this.#response
      .writeHead(code, { ...PAGE_HEADERS, "content-type": "application/json", "cache-control": "no-store" })
      .end(JSON.stringify(value));
  }
}
