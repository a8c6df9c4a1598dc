import { InputError } from "@levelset/core";
import type { Logger } from "@levelset/core";
import {
  acceptsGzip,
  BodyTooLargeError,
  httpResponse,
  isSameSecret,
  listenHttp,
  readBody,
  requestUrl,
} from "@levelset/core/http";
import type { HttpLimits, HttpRequest, HttpResponse } from "@levelset/core/http";
import { ACTION_TOKEN_HEADER, parseAction, parsePositions } from "../api/index.ts";
import type { Session, SourceName } from "../api/index.ts";
import { performAction } from "./actions.ts";
import { openEventStream } from "./event-stream.ts";
import { cookieOf, isLocal, isSameOrigin, PAGE_HEADERS } from "./request-checks.ts";
import { problemOf } from "./problem-of.ts";
import { searchFleet } from "./search-fleet.ts";
import { resolveTopic } from "./topic/topic-sources.ts";
import type { TopicSources } from "./topic/topic-sources.ts";
import type { WebFiles } from "./web-files.ts";

/** Maximum size of an action: the limit of kube-apiserver for request bodies (k8s.io/apiserver MaxRequestBodyBytes). */
const BODY_MAX = 3 * 1024 * 1024;
/** Maximum number of topics of a stream. */
const TOPICS_MAX = 16;
/** Maximum number of open streams. Each may buffer a copy of all lists. Hidden pages have no stream. */
const STREAMS_MAX = 32;
const TOO_MANY_STREAMS = `more than ${STREAMS_MAX} pages of this console are open: close some of them`;
const LIMITS: Partial<HttpLimits> = { headersMs: 10_000, requestMs: 30_000, connections: 256 };

/** Options of {@link serveConsole}. */
export interface ConsoleServerOptions {
  readonly sources: TopicSources;
  readonly web: WebFiles;
  /** Returns the current session data. */
  readonly session: () => Session;
  /** Token that authenticates browsers. */
  readonly token: string;
  /** Port on loopback; 0 selects a free port. */
  readonly port: number;
  readonly logger: Logger;
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
}

/** A listening server. */
export interface ConsoleListener {
  /** URL with the access token. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the pages and their data on loopback. */
export async function serveConsole(options: ConsoleServerOptions): Promise<ConsoleListener> {
  const { port, token, logger } = options;
  const streams: OpenStreams = { count: 0 };
  const handle = (request: HttpRequest): Promise<HttpResponse> =>
    new RequestHandler({ ...options, streams }, request).handle();
  const opened = await listenHttp(handle, { port, limits: LIMITS, logger, clock: options.sources.clock });
  return { url: `${opened.url}/?token=${token}`, close: () => opened.close() };
}

/** Number of open streams. */
interface OpenStreams {
  count: number;
}

/** An invalid URL is handled like a missing file. */
const INVALID_URL = new URL("http://localhost/assets/");

/** Handles one HTTP request. */
class RequestHandler {
  readonly #options: ConsoleServerOptions & { readonly streams: OpenStreams };
  readonly #request: HttpRequest;
  readonly #url: URL;

  constructor(options: ConsoleServerOptions & { readonly streams: OpenStreams }, request: HttpRequest) {
    this.#options = options;
    this.#request = request;
    this.#url = requestUrl(request) ?? INVALID_URL;
  }

  async handle(): Promise<HttpResponse> {
    const { method } = this.#request;
    const { pathname } = this.#url;
    if (!isLocal(this.#request)) return this.#refuse(403, "the console serves only browsers on its own machine");
    const isRead = method === "GET" || method === "HEAD";
    if (!pathname.startsWith("/api/")) {
      return isRead ? this.#page(pathname) : this.#refuse(405, "method not allowed: use GET");
    }
    if (!isSameOrigin(this.#request)) return this.#refuse(403, "cross-origin request refused");
    if (!isSameSecret(cookieOf(this.#request, this.#cookie), this.#options.token)) {
      return this.#refuse(401, "open the URL that levelset printed: it contains the token");
    }
    if (pathname === "/api/actions") {
      return method === "POST" ? this.#action() : this.#refuse(405, "method not allowed: use POST");
    }
    if (!isRead) return this.#refuse(405, "method not allowed: use GET");
    switch (pathname) {
      case "/api/session":
        // EventSource hides the response of a refused stream, so the page gets the reason here.
        return this.#isFull ? this.#refuse(503, TOO_MANY_STREAMS) : this.#json(200, this.#options.session());
      case "/api/stream":
        if (method === "HEAD") return this.#refuse(405, "method not allowed: use GET");
        return this.#isFull ? this.#refuse(503, TOO_MANY_STREAMS) : this.#stream();
      case "/api/search":
        return this.#search();
      default:
        return this.#refuse(404, "page not found");
    }
  }

  /** Name of the cookie. Browsers share cookies between ports of a host, so it contains the port. */
  get #cookie(): string {
    return `levelset-console-${this.#request.socket?.localPort ?? 0}`;
  }

  get #isFull(): boolean {
    return this.#options.streams.count >= STREAMS_MAX;
  }

  #page(pathname: string): HttpResponse {
    const { token, web } = this.#options;
    const shown = this.#url.searchParams.get("token");
    if (shown !== null && isSameSecret(shown, token)) {
      this.#url.searchParams.delete("token");
      const cookie = `${this.#cookie}=${token}; Path=/; HttpOnly; SameSite=Strict`;
      // A location with two leading slashes would redirect to another host.
      const location = `/${pathname.replace(/^\/+/u, "")}${this.#url.search}`;
      const headers = { ...PAGE_HEADERS, location, "set-cookie": cookie, "cache-control": "no-store" };
      return httpResponse(303, null, headers);
    }
    const isAsset = pathname.startsWith("/assets/");
    const file = web.get(isAsset ? pathname.slice("/assets/".length) : "index.html");
    if (file === undefined) return this.#refuse(404, "file not found");
    const headers = { ...PAGE_HEADERS, "content-type": file.type, "cache-control": "no-cache" };
    return acceptsGzip(this.#request.headers.get("accept-encoding"))
      ? httpResponse(200, file.gzipped, { ...headers, "content-encoding": "gzip" })
      : httpResponse(200, file.body, headers);
  }

  #stream(): HttpResponse {
    const { sources, streams } = this.#options;
    const names = this.#url.searchParams.getAll("topic");
    if (names.length > TOPICS_MAX) return this.#refuse(400, `more than ${TOPICS_MAX} topics`);
    if (new Set(names).size < names.length) return this.#refuse(400, "duplicate topic");
    const last = this.#request.headers.get("last-event-id") ?? "";
    const after = last === "" ? (this.#url.searchParams.get("after") ?? "") : last;
    try {
      const topics = names.map((name) => ({ name, topic: resolveTopic(name, sources) }));
      const positions = parsePositions(after, names.length);
      streams.count += 1;
      const onEnd = (): void => {
        streams.count -= 1;
      };
      const { signal } = this.#request;
      const body = openEventStream({ topics, positions, clock: sources.clock, signal, onEnd });
      const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
      return { ...httpResponse(200, body, headers), abort: body.abort };
    } catch (error) {
      return this.#json(400, problemOf(error, "console"));
    }
  }

  async #search(): Promise<HttpResponse> {
    const { fleet } = this.#options.sources;
    const { searchParams: query } = this.#url;
    try {
      const search = { plural: query.get("plural") ?? "", search: query.get("search") ?? "" };
      return this.#json(200, await searchFleet(search, fleet, this.#request.signal));
    } catch (error) {
      return this.#json(400, problemOf(error, "fleet"));
    }
  }

  async #action(): Promise<HttpResponse> {
    const { sources, signal } = this.#options;
    const session = this.#options.session();
    const shown = this.#request.headers.get(ACTION_TOKEN_HEADER) ?? "";
    if (!session.allowActions) {
      return this.#refuse(403, "the console is read-only: start it with --allow-actions");
    }
    if (!isSameSecret(shown, session.actionToken)) {
      return this.#refuse(403, "the action token is missing or wrong: reload the page");
    }
    let source: SourceName = "console";
    try {
      const action = parseAction(await this.#body());
      if (typeof action === "string") throw new InputError(action);
      const { cluster, fleet } = sources;
      source = "resource" in action ? "fleet" : "cluster";
      return this.#json(200, { done: await performAction(action, { cluster, fleet }, signal) });
    } catch (error) {
      return this.#json(400, problemOf(error, source));
    }
  }

  async #body(): Promise<unknown> {
    if (!/^application\/json\b/u.test(this.#request.headers.get("content-type") ?? "")) {
      throw new InputError("content-type must be application/json");
    }
    const bytes = await readBody(this.#request, BODY_MAX).catch((error: unknown) => {
      if (error instanceof BodyTooLargeError) throw new InputError(`the action is too large: ${error.message}`);
      throw error;
    });
    try {
      return JSON.parse(bytes.toString("utf8"));
    } catch (error) {
      throw new InputError("the action is not valid JSON", { cause: error });
    }
  }

  #refuse(code: number, message: string): HttpResponse {
    const reason = code === 401 ? "unauthorized" : code === 403 ? "forbidden" : "refused";
    return this.#json(code, { source: "console", about: "", reason, message, hint: "" });
  }

  #json(code: number, value: unknown): HttpResponse {
    const headers = { ...PAGE_HEADERS, "content-type": "application/json", "cache-control": "no-store" };
    return httpResponse(code, JSON.stringify(value), headers);
  }
}
