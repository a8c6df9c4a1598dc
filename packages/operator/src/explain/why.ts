import { Event, InputError, isNotFound, StatusError } from "@levelset/core";
import type { KubeObject, ObjectOf } from "@levelset/core";
import { metadataOnly } from "../client/index.ts";
import type { Client, Discovery } from "../client/index.ts";
import { compareRuns } from "../manager/index.ts";
import type { RunJson } from "../manager/index.ts";
import type { ObjectRef } from "../step/index.ts";
import { ChildFinder } from "./children.ts";
import type { Children, KindRef } from "./children.ts";
import { explain } from "./explain.ts";
import { refId } from "./facts.ts";
import type { Facts, Seen, Sight } from "./facts.ts";
import { leadsOf, waitedFor } from "./leads.ts";
import { standingOf } from "./standing.ts";
import type { EventNote, ObjectNode } from "./tree.ts";

/** What operators that run somewhere have recorded about one object. */
export interface Records {
  /** Its runs, in any order. */
  readonly runs: readonly RunJson[];
  /** The kinds of children that its operator makes; undefined where no operator of its kind was found. */
  readonly owns: readonly KindRef[] | undefined;
}

/** Where answers come from. */
export interface WhySources {
  readonly client: Client;
  readonly discovery: Discovery;
  /** Default: there are no records. */
  readonly records?: (ref: ObjectRef) => Promise<Records>;
}

/** How far to look. */
export interface WhyOptions {
  /** Looks for children among objects of every kind that can be listed. Default: the kinds that operators usually make. */
  readonly allKinds?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** How far below the object to look. */
const DEPTH_MAX = 8;
/** How many objects to look at. */
const OBJECTS_MAX = 40;
/** How many warnings about one object are read. */
const EVENTS_READ = 500;

/**
 * Why an object is not ready: follows what its last run waited for, or its children, from object to object, until one gives a reason
 * of its own. Objects that are missing or that may not be read are told as such; only a cluster that does not answer is a failure.
 */
export async function why(ref: ObjectRef, sources: WhySources, options: WhyOptions = {}): Promise<ObjectNode> {
  return explain(await new FactFinder(sources, options).find(ref));
}

class FactFinder {
  readonly #sources: WhySources;
  readonly #signal: AbortSignal | undefined;
  readonly #children: ChildFinder;

  constructor(sources: WhySources, options: WhyOptions) {
    const { client, discovery } = sources;
    const { allKinds = false, signal } = options;
    this.#sources = sources;
    this.#signal = signal;
    this.#children = new ChildFinder({ client, discovery, allKinds, signal });
  }

  /** Level by level: what is nearer explains more. */
  async find(root: ObjectRef): Promise<Facts> {
    const sights = new Map<string, Sight>();
    let next: readonly ObjectRef[] = [root];
    for (let depth = 0; depth <= DEPTH_MAX && next.length > 0; depth++) {
      const refs = next.slice(0, OBJECTS_MAX - sights.size);
      const found = await Promise.all(refs.map(async (ref) => ({ ref, sight: await this.#look(ref) })));
      for (const { ref, sight } of found) sights.set(refId(ref), sight);
      const leads = found.flatMap(({ sight }) => (sight.kind === "seen" ? leadsOf(sight).leads : []));
      const fresh = leads.map(({ ref }) => [refId(ref), ref] as const).filter(([id]) => !sights.has(id));
      next = [...new Map(fresh).values()];
    }
    return { root, sights };
  }

  async #look(ref: ObjectRef): Promise<Sight> {
    try {
      const kind = await this.#sources.discovery.kindOf(ref, { signal: this.#signal });
      // What has no status is as it is; so what Secrets hold never comes here.
      const wanted = kind.hasStatus ? kind : metadataOnly(kind);
      const object = await this.#sources.client.get(wanted, ref, { signal: this.#signal });
      return await this.#see(ref, { object, hasStatus: kind.hasStatus });
    } catch (error) {
      if (isNotFound(error)) return { kind: "missing" };
      if (error instanceof StatusError || error instanceof InputError) {
        return { kind: "unreadable", why: `could not be read: ${error.message}` };
      }
      throw error;
    }
  }

  async #see(ref: ObjectRef, read: Pick<Seen, "object" | "hasStatus">): Promise<Seen> {
    const { runs, owns } = (await this.#sources.records?.(ref)) ?? { runs: [], owns: undefined };
    const run = runs.toSorted(compareRuns).at(-1);
    const base = { kind: "seen", ...read, ...(run === undefined ? {} : { run }) } as const;
    const { state } = standingOf(read);
    if (state === "ready") return { ...base, children: [], events: [], blind: [] };
    const isExplained = state !== "deleting" && waitedFor(base).length > 0;
    const nothing: Children = { children: [], blind: [] };
    const [found, warned] = await Promise.all([
      isExplained ? nothing : this.#children.of(read.object, owns),
      this.#events(read.object),
    ]);
    return { ...base, children: found.children, ...warned, blind: [...found.blind, ...warned.blind] };
  }

  /** The warnings about an object, newest first. */
  async #events(object: KubeObject): Promise<Pick<Seen, "events" | "blind">> {
    const { uid, namespace = "default" } = object.metadata;
    const fields = `involvedObject.uid=${uid},type=Warning`;
    try {
      const page = await this.#sources.client.list(Event, {
        namespace,
        fields,
        limit: EVENTS_READ,
        signal: this.#signal,
      });
      const notes = page.items.map(eventNote).toSorted((a, b) => (b.last ?? "").localeCompare(a.last ?? "", "en"));
      return { events: notes, blind: [] };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return { events: [], blind: [`events could not be looked at: ${error.message}`] };
    }
  }
}

function eventNote(event: ObjectOf<typeof Event>): EventNote {
  const { reason = "", message = "", series, count, lastTimestamp, eventTime, metadata } = event;
  const last = series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp;
  return {
    reason,
    message,
    count: series?.count ?? count ?? 1,
    ...(last === undefined || last === null ? {} : { last }),
  };
}
