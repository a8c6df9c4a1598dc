import { Event, InputError, isNotFound, StatusError } from "@levelset/core";
import type { KubeObject, ObjectOf } from "@levelset/core";
import { compareCodeUnits } from "@levelset/core/internal";
import { metadataOnly } from "../client/index.ts";
import type { Client, Discovery } from "../client/index.ts";
import { compareRuns } from "../manager/index.ts";
import type { RunJson } from "../manager/index.ts";
import type { ObjectRef } from "../engine/index.ts";
import { ChildFinder } from "./children.ts";
import type { Children } from "./children.ts";
import { explain } from "./explain.ts";
import { objectRefId } from "./explain-input.ts";
import type { ExplainInput, FoundObject, ObjectLookup } from "./explain-input.ts";
import type { KindRef } from "./group-kind.ts";
import { findCauseCandidates, lastRunCandidates } from "./cause-candidates.ts";
import { nodeStatusOf } from "./node-status.ts";
import type { EventSummary, ObjectNode } from "./tree.ts";

/** Run records of operators about one object. */
export interface ObjectRunRecords {
  /** Its runs, in any order. */
  readonly runs: readonly RunJson[];
  /** The kinds of its children; undefined if no operator of its kind was found. */
  readonly owns: readonly KindRef[] | undefined;
}

/** Data sources of {@link why}. */
export interface WhySources {
  readonly client: Client;
  readonly discovery: Discovery;
  /** Default: no records. */
  readonly records?: (ref: ObjectRef) => Promise<ObjectRunRecords>;
}

/** Options of {@link why}. */
export interface WhyOptions {
  /**
   * Searches every listable kind for children. Default: only the kinds that operators usually create.
   */
  readonly allKinds?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Maximum depth of the tree. */
const DEPTH_MAX = 8;
/** Maximum number of objects to read. */
const OBJECTS_MAX = 40;
/** Maximum number of warnings that are read per object. */
const EVENTS_READ = 500;

/**
 * Explains why an object is not ready: inspects the objects that its last run waited for, and its children, until one
 * has a reason of its own. Missing and unreadable objects are part of the result. Rejects only if the cluster cannot be
 * reached.
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

  /** Searches breadth first, because nearer objects explain more. */
  async find(root: ObjectRef): Promise<ExplainInput> {
    const lookups = new Map<string, ObjectLookup>();
    let next: readonly ObjectRef[] = [root];
    for (let depth = 0; depth <= DEPTH_MAX && next.length > 0; depth++) {
      const refs = next.slice(0, OBJECTS_MAX - lookups.size);
      const found = await Promise.all(refs.map(async (ref) => ({ ref, lookup: await this.#lookUp(ref) })));
      for (const { ref, lookup } of found) lookups.set(objectRefId(ref), lookup);
      const leads = found.flatMap(({ lookup }) => (lookup.kind === "seen" ? findCauseCandidates(lookup).leads : []));
      const fresh = leads.map(({ ref }) => [objectRefId(ref), ref] as const).filter(([id]) => !lookups.has(id));
      next = [...new Map(fresh).values()];
    }
    return { root, lookups };
  }

  async #lookUp(ref: ObjectRef): Promise<ObjectLookup> {
    try {
      const kind = await this.#sources.discovery.kindOf(ref, { signal: this.#signal });
      // Kinds without a status are read as metadata only, so the content of Secrets is never read.
      const desired = kind.hasStatus ? kind : metadataOnly(kind);
      const object = await this.#sources.client.get(desired, ref, { signal: this.#signal });
      return await this.#see(ref, { object, hasStatus: kind.hasStatus });
    } catch (error) {
      if (isNotFound(error)) return { kind: "missing" };
      if (error instanceof StatusError || error instanceof InputError) {
        return { kind: "unreadable", why: `cannot be read: ${error.message}` };
      }
      throw error;
    }
  }

  async #see(ref: ObjectRef, read: Pick<FoundObject, "object" | "hasStatus">): Promise<FoundObject> {
    const { runs, owns } = (await this.#sources.records?.(ref)) ?? { runs: [], owns: undefined };
    const run = runs.toSorted(compareRuns).at(-1);
    const base = { kind: "seen", ...read, ...(run === undefined ? {} : { run }) } as const;
    const { state } = nodeStatusOf(read);
    if (state === "ready") return { ...base, children: [], events: [], unreadableKinds: [] };
    const isExplained = state !== "deleting" && lastRunCandidates(base).length > 0;
    const nothing: Children = { children: [], unreadableKinds: [] };
    const [found, warned] = await Promise.all([
      isExplained ? nothing : this.#children.of(read.object, owns),
      this.#events(read.object),
    ]);
    return {
      ...base,
      children: found.children,
      ...warned,
      unreadableKinds: [...found.unreadableKinds, ...warned.unreadableKinds],
    };
  }

  /** Returns the warnings about an object, newest first. */
  async #events(object: KubeObject): Promise<Pick<FoundObject, "events" | "unreadableKinds">> {
    const { uid, namespace = "default" } = object.metadata;
    const fields = `involvedObject.uid=${uid},type=Warning`;
    try {
      const page = await this.#sources.client.list(Event, {
        namespace,
        fields,
        limit: EVENTS_READ,
        signal: this.#signal,
      });
      const notes = page.items.map(eventNote).toSorted((a, b) => compareCodeUnits(b.last ?? "", a.last ?? ""));
      return { events: notes, unreadableKinds: [] };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return { events: [], unreadableKinds: [`cannot read events: ${error.message}`] };
    }
  }
}

function eventNote(event: ObjectOf<typeof Event>): EventSummary {
  const { reason = "", message = "", series, count, lastTimestamp, eventTime, metadata } = event;
  const last = series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp;
  return {
    reason,
    message,
    count: series?.count ?? count ?? 1,
    ...(last === undefined || last === null ? {} : { last }),
  };
}
