import { batch, signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import { BACKOFFS } from "@levelset/core/internal";
import { realClock } from "@levelset/core";
import { ACTION_TOKEN_HEADER, parsePositions, streamPath } from "../api/index.ts";
import type { Action, Documents, Problem, Session, StreamMessage, Tables } from "../api/index.ts";
import { applyToRows } from "./live-rows.ts";

/** State of the connection to the server. */
export type ConnectionState = "connecting" | "live" | "lost";

/** A live list. `version` changes with its rows. */
export interface LiveRows<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  readonly version: Signal<number>;
  /** Whether the initial rows are loaded. */
  readonly isLoaded: Signal<boolean>;
}

/** State of a page. */
export type PageState<Document> =
  | { readonly kind: "loading" }
  | { readonly kind: "loaded"; readonly document: Document; readonly problem?: Problem }
  | { readonly kind: "failed"; readonly problem: Problem };

const TABLES = ["objects", "fleet"] as const;

/** The connection of a page. Its topics change with the page; positions of topics are retained. */
export class Connection {
  readonly link: Signal<ConnectionState> = signal<ConnectionState>("connecting");
  readonly session: Signal<Session | undefined> = signal(undefined);
  readonly refusal: Signal<Problem | undefined> = signal(undefined);
  readonly problems: Signal<readonly Problem[]> = signal([]);
  readonly page: Signal<PageState<Documents[keyof Documents]>> = signal({ kind: "loading" });
  readonly tables: { readonly [Name in keyof Tables]: LiveRows<Tables[Name]> } = {
    objects: emptyRows(),
    fleet: emptyRows(),
  };
  readonly #positions = new Map<string, string>();
  #pageTopic: string | undefined;
  #source: EventSource | undefined;
  #isStarted = false;
  #isHidden = false;

  /** Loads the session and opens the stream; reconnects automatically. */
  async start(): Promise<void> {
    try {
      const response = await fetch("/api/session");
      const body: unknown = await response.json();
      // The server of the console sends these types.
      if (!response.ok) throw new Refusal(body as Problem);
      const session = body as Session;
      if (isOutdated(this.session.value, session)) return location.reload();
      this.session.value = session;
      this.refusal.value = undefined;
      this.#isStarted = true;
      this.#open();
    } catch (error) {
      this.link.value = "lost";
      this.refusal.value = error instanceof Refusal ? error.problem : undefined;
      this.#later(() => void this.start());
    }
  }

  /** Subscribes to the topic of a page; undefined if the lists suffice. */
  show(topic: string | undefined): void {
    if (topic === this.#pageTopic) return;
    if (this.#pageTopic !== undefined) this.#positions.delete(this.#pageTopic);
    this.#pageTopic = topic;
    this.page.value = { kind: "loading" };
    if (this.#isStarted) this.#open();
  }

  /** Closes the connection of a hidden page: browsers limit connections per host. */
  setHidden(isHidden: boolean): void {
    this.#isHidden = isHidden;
    if (this.#isStarted) this.#open();
  }

  /** Performs an action and returns the message of the server. Throws an `ActionRefusedError` if it is refused. */
  async act(action: Action): Promise<string> {
    const response = await fetch("/api/actions", {
      method: "POST",
      headers: { "content-type": "application/json", [ACTION_TOKEN_HEADER]: this.session.value?.actionToken ?? "" },
      body: JSON.stringify(action),
    });
    const body = (await response.json()) as { readonly done: string } | Problem; // types of the server
    if ("done" in body) return body.done;
    throw new ActionRefusedError(body);
  }

  #open(): void {
    this.#close();
    if (this.#isHidden) return;
    const { cluster, fleet } = this.session.value ?? {};
    const topics = [
      "problems",
      ...(cluster === undefined ? [] : ["objects"]),
      ...(fleet === undefined ? [] : ["fleet"]),
      ...(this.#pageTopic === undefined ? [] : [this.#pageTopic]),
    ];
    const source = new EventSource(
      streamPath(
        topics,
        topics.map((topic) => this.#positions.get(topic) ?? ""),
      ),
    );
    this.#source = source;
    source.addEventListener("open", () => {
      this.link.value = "live";
    });
    source.addEventListener("message", ({ data, lastEventId }: MessageEvent<string>) => {
      const positions = parsePositions(lastEventId, topics.length);
      for (const [index, topic] of topics.entries()) this.#positions.set(topic, positions[index] ?? "");
      batch(() => this.#receive(JSON.parse(data) as StreamMessage)); // the type of the server
    });
    source.addEventListener("error", () => {
      if (source !== this.#source) return;
      this.link.value = "lost";
      // The server may have restarted with another token: load the session again.
      this.#close();
      this.#later(() => void this.start());
    });
  }

  #close(): void {
    this.#source?.close();
    this.#source = undefined;
  }

  #receive({ topic, message }: StreamMessage): void {
    const table = TABLES.find((name) => name === topic);
    if (table !== undefined) {
      const { rows, version, isLoaded } = this.tables[table];
      // The maps are read-only for all other code.
      if (applyToRows(rows as unknown as Map<string, { readonly id: string }>, message)) version.value += 1;
      isLoaded.value = true;
      return;
    }
    if (topic === "problems" && message.kind === "document") {
      this.problems.value = message.document as Documents["problems"]; // the document type of this topic
      return;
    }
    if (topic !== this.#pageTopic) return;
    if (message.kind === "document") this.page.value = { kind: "loaded", document: message.document };
    if (message.kind === "failed") this.page.value = failed(this.page.value, message.problem);
  }

  #later(run: () => void): void {
    realClock.after(BACKOFFS.consolePage.firstMs, run);
  }
}

/** The server refused an action. */
export class ActionRefusedError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** The server refused the session. */
class Refusal extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Reports whether the page must reload: the server has another build and no dialog is open. */
function isOutdated(before: Session | undefined, now: Session): boolean {
  return before !== undefined && before.buildId !== now.buildId && document.querySelector("dialog[open]") === null;
}

/** Keeps the last document and marks it as stale. */
function failed<Document>(page: PageState<Document>, problem: Problem): PageState<Document> {
  return page.kind === "loaded" ? { ...page, problem } : { kind: "failed", problem };
}

function emptyRows<Row>(): LiveRows<Row> {
  return { rows: new Map(), version: signal(0), isLoaded: signal(false) };
}
