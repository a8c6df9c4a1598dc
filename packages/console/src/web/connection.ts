import { batch, signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import { realClock } from "@levelset/core";
import { ACTION_TOKEN_HEADER, parsePositions, streamPath } from "../api/index.ts";
import type { Action, Documents, Problem, Session, StreamMessage, Tables } from "../api/index.ts";
import { applyToRows } from "./live-rows.ts";

/** How the connection to the console's server is. */
export type Link = "connecting" | "live" | "lost";

/** A list that stays up to date. `version` changes whenever its rows do. */
export interface LiveRows<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  readonly version: Signal<number>;
  /** Whether everything has been told once. */
  readonly isHere: Signal<boolean>;
}

/** What is known of a page. */
export type PageState<Document> =
  | { readonly kind: "loading" }
  | { readonly kind: "here"; readonly document: Document; readonly problem?: Problem }
  | { readonly kind: "failed"; readonly problem: Problem };

/** After how long a refused connection is tried again. */
const RETRY_MS = 1_500;
const TABLES = ["objects", "fleet"] as const;

/** The page's one connection: what it follows changes with the page, and where each topic is, is kept. */
export class Connection {
  readonly link: Signal<Link> = signal<Link>("connecting");
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

  /** Asks who we are talking to, and follows; comes back by itself whenever the server does. */
  async start(): Promise<void> {
    try {
      const response = await fetch("/api/session");
      const answer: unknown = await response.json();
      // The server's own shapes.
      if (!response.ok) throw new Refusal(answer as Problem);
      const session = answer as Session;
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

  /** Follows what a page shows; undefined where the lists are enough. */
  show(topic: string | undefined): void {
    if (topic === this.#pageTopic) return;
    if (this.#pageTopic !== undefined) this.#positions.delete(this.#pageTopic);
    this.#pageTopic = topic;
    this.page.value = { kind: "loading" };
    if (this.#isStarted) this.#open();
  }

  /** A page that nobody sees gives its connection back: a browser has only a few. */
  setHidden(isHidden: boolean): void {
    this.#isHidden = isHidden;
    if (this.#isStarted) this.#open();
  }

  /** Asks for something to be done. Answers what was done; throws an `ActionRefusal` that says why not. */
  async act(action: Action): Promise<string> {
    const response = await fetch("/api/actions", {
      method: "POST",
      headers: { "content-type": "application/json", [ACTION_TOKEN_HEADER]: this.session.value?.actionToken ?? "" },
      body: JSON.stringify(action),
    });
    const answer = (await response.json()) as { readonly done: string } | Problem; // the server's own shapes
    if ("done" in answer) return answer.done;
    throw new ActionRefusal(answer);
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
      batch(() => this.#take(JSON.parse(data) as StreamMessage)); // the server's own shape
    });
    source.addEventListener("error", () => {
      if (source !== this.#source) return;
      this.link.value = "lost";
      // The server may be another one by now, with another token: begin with who it is.
      this.#close();
      this.#later(() => void this.start());
    });
  }

  #close(): void {
    this.#source?.close();
    this.#source = undefined;
  }

  #take({ topic, message }: StreamMessage): void {
    const table = TABLES.find((name) => name === topic);
    if (table !== undefined) {
      const { rows, version, isHere } = this.tables[table];
      // Only here are they written.
      if (applyToRows(rows as unknown as Map<string, { readonly id: string }>, message)) version.value += 1;
      isHere.value = true;
      return;
    }
    if (topic === "problems" && message.kind === "document") {
      this.problems.value = message.document as Documents["problems"]; // by its topic
      return;
    }
    if (topic !== this.#pageTopic) return;
    if (message.kind === "document") this.page.value = { kind: "here", document: message.document };
    if (message.kind === "failed") this.page.value = failed(this.page.value, message.problem);
  }

  #later(run: () => void): void {
    realClock.after(RETRY_MS, run);
  }
}

/** Something was not done. */
export class ActionRefusal extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** The server answered, and will not tell. */
class Refusal extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Whether the server has other pages by now, and nobody is in the middle of something here. */
function isOutdated(before: Session | undefined, now: Session): boolean {
  return before !== undefined && before.pages !== now.pages && document.querySelector("dialog[open]") === null;
}

/** What was here stays in sight, with a word that it is old. */
function failed<Document>(page: PageState<Document>, problem: Problem): PageState<Document> {
  return page.kind === "here" ? { ...page, problem } : { kind: "failed", problem };
}

function emptyRows<Row>(): LiveRows<Row> {
  return { rows: new Map(), version: signal(0), isHere: signal(false) };
}
