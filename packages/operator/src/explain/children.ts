import {
  apiVersionOf,
  hasFinalizer,
  InputError,
  isNotFound,
  isOwnedBy,
  objectKeyOf,
  kindId,
  StatusError,
} from "@levelset/core";
import { finalizerName, annotatedOwnerOf, ownerAnnotations, parseApiVersion } from "@levelset/core/internal";
import { formatLabelSelector, labelSelectorFromObject } from "@levelset/core/schema";
import type { Kind, KubeObject } from "@levelset/core";
import type { LabelSelectorObject } from "@levelset/core/schema";
import { metadataOnly } from "../client/index.ts";
import type { Client, Discovery, ObjectSelector } from "../client/index.ts";
import type { LoadedObject } from "./explain-input.ts";
import { createdKindOf } from "./group-kind.ts";
import type { KindRef } from "./group-kind.ts";

/** The children of an object, and the kinds that could not be read. */
export interface Children {
  readonly children: readonly LoadedObject[];
  readonly unreadableKinds: readonly string[];
}

/** Options of {@link ChildFinder}. */
export interface ChildFinderOptions {
  readonly client: Client;
  readonly discovery: Discovery;
  /** Searches every listable kind instead of the likely ones. */
  readonly allKinds: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Kinds that operators usually create, used if the operator's own list is unknown. Kinds of its API group are added.
 */
const LIKELY: readonly string[] = [
  "apps/v1 Deployment",
  "apps/v1 StatefulSet",
  "apps/v1 DaemonSet",
  "apps/v1 ReplicaSet",
  "batch/v1 Job",
  "batch/v1 CronJob",
  "v1 Pod",
  "v1 PersistentVolumeClaim",
];

/** Objects of a page. */
const PAGE = 500;
/** Maximum number of pages per list. */
const PAGES_MAX = 20;
/** Maximum number of children per kind that are read in full. */
const READ_MAX = 20;
/** Maximum number of kinds that are listed concurrently. */
const KINDS_MAX = 10;

/**
 * Finds the children of objects by owner references, owner annotations and Operand labels. Lists only metadata, and
 * reads only children whose kind has a status in full. Kinds that cannot be read are in `unreadableKinds`.
 */
export class ChildFinder {
  readonly #options: ChildFinderOptions;
  /** Lists by kind and selection, shared by owners. */
  readonly #lists = new Map<string, Promise<readonly KubeObject[]>>();

  constructor(options: ChildFinderOptions) {
    this.#options = options;
  }

  /** Returns the children of an object. `owns` are their kinds, if known. */
  async of(object: KubeObject, owns: readonly KindRef[] | undefined): Promise<Children> {
    const created = createdKindOf(object);
    const labels = created === undefined ? undefined : selectorOf(object);
    if (created !== undefined && labels !== undefined) return this.#selected(object, created, labels);
    const kinds = await this.#candidates(object, owns ?? (created === undefined ? undefined : [created]));
    const found: Children[] = [];
    for (let at = 0; at < kinds.length; at += KINDS_MAX) {
      const some = kinds.slice(at, at + KINDS_MAX);
      found.push(...(await Promise.all(some.map((kind) => this.#seeing(kind, () => this.#owned(object, kind))))));
    }
    return {
      children: found.flatMap(({ children }) => children),
      unreadableKinds: found.flatMap(({ unreadableKinds }) => unreadableKinds),
    };
  }

  async #candidates(object: KubeObject, owns: readonly KindRef[] | undefined): Promise<readonly Kind[]> {
    const { discovery, allKinds, signal } = this.#options;
    if (owns !== undefined && !allKinds) return (await Promise.all(owns.map((ref) => this.#served(ref)))).flat();
    const { group } = parseApiVersion(object.apiVersion);
    const listed = (await discovery.kinds({ signal })).filter(({ verbs }) => verbs.includes("list"));
    if (allKinds) return listed.filter(({ kind }) => kind !== "Event");
    return listed.filter((kind) => kind.group === group || LIKELY.includes(`${apiVersionOf(kind)} ${kind.kind}`));
  }

  /** Returns a kind if the cluster serves it. */
  async #served(ref: KindRef): Promise<readonly Kind[]> {
    const { discovery, signal } = this.#options;
    try {
      return [await discovery.kindOf(ref, { signal })];
    } catch (error) {
      if (error instanceof InputError) return [];
      throw error;
    }
  }

  /** Returns the objects that a workload created, with one list request. */
  async #selected(object: KubeObject, created: KindRef, labels: string): Promise<Children> {
    const { client, signal } = this.#options;
    const [kind] = await this.#served(created);
    if (kind === undefined) return { children: [], unreadableKinds: [] };
    return this.#seeing(kind, async () => {
      const { namespace } = object.metadata;
      const { items } = await client.list(kind, { namespace, labels, limit: PAGE, signal });
      return items.filter((item) => isOwnedBy(item, object));
    });
  }

  async #owned(object: KubeObject, kind: Kind): Promise<readonly KubeObject[]> {
    const lists = await Promise.all(selectionsOf(object, kind).map((selection) => this.#list(kind, selection)));
    const { uid } = object.metadata;
    // Objects of an Operand have a label with its uid; their owner reference names an inventory, which may be ready.
    const part = `${parseApiVersion(object.apiVersion).group}/${uid}`;
    const found = new Map<string, KubeObject>();
    for (const item of lists.flat()) {
      const isPart = item.metadata.labels?.[part] !== undefined;
      if (isPart || isOwnedBy(item, object) || annotatedOwnerOf(item)?.uid === uid) found.set(item.metadata.uid, item);
    }
    const children = [...found.values()].slice(0, READ_MAX);
    if (!kind.hasStatus) return children;
    return (await Promise.all(children.map((child) => this.#read(kind, child)))).flat();
  }

  #list(kind: Kind, selection: ObjectSelector): Promise<readonly KubeObject[]> {
    const id = JSON.stringify([kindId(kind), selection.namespace, selection.labels]);
    const listed = this.#lists.get(id) ?? this.#listAll(kind, selection);
    this.#lists.set(id, listed);
    return listed;
  }

  async #listAll(kind: Kind, selection: ObjectSelector): Promise<readonly KubeObject[]> {
    const { client, signal } = this.#options;
    const items: KubeObject[] = [];
    for await (const page of client.pages(metadataOnly(kind), { ...selection, limit: PAGE, signal })) {
      items.push(...page.items);
      if (items.length >= PAGE * PAGES_MAX) break;
    }
    return items;
  }

  /** Reads a child in full; returns an empty list if it was deleted meanwhile. */
  async #read(kind: Kind, child: KubeObject): Promise<readonly KubeObject[]> {
    const { client, signal } = this.#options;
    try {
      return [await client.get(kind, objectKeyOf(child), { signal })];
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  }

  /** Returns the objects of a kind, or a message why they could not be read. */
  async #seeing(kind: Kind, look: () => Promise<readonly KubeObject[]>): Promise<Children> {
    try {
      const found = await look();
      return { children: found.map((object) => ({ object, hasStatus: kind.hasStatus })), unreadableKinds: [] };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return { children: [], unreadableKinds: [`cannot read ${kindId(kind)}: ${error.message}`] };
    }
  }
}

/** Returns the selector of a workload. Undefined for a CronJob: its Jobs have no labels in common. */
function selectorOf(
  workload: KubeObject & {
    readonly spec?: { readonly selector?: LabelSelectorObject | Readonly<Record<string, string>> };
  },
): string | undefined {
  const selector = workload.spec?.selector;
  if (selector === undefined) return undefined;
  // A ReplicationController has labels instead of a selector object.
  const isMap = workload.kind === "ReplicationController";
  return formatLabelSelector(
    labelSelectorFromObject(isMap ? { matchLabels: selector as Readonly<Record<string, string>> } : selector),
  );
}

/**
 * Returns where to search for children of a kind: in the owner's namespace by owner reference, in all namespaces by
 * owner annotation. An owner of annotated children has a finalizer, because the garbage collector does not delete them.
 */
function selectionsOf(owner: KubeObject, kind: Kind): readonly ObjectSelector[] {
  const { namespace } = owner.metadata;
  if (namespace === undefined) return [{}];
  const { group } = parseApiVersion(owner.apiVersion);
  const isMarking = hasFinalizer(owner, finalizerName({ group, kind: owner.kind }));
  const mark = Object.entries(ownerAnnotations(owner).labels).map(([name, value]) => `${name}=${value}`);
  return [...(kind.scope === "Namespaced" ? [{ namespace }] : []), ...(isMarking ? [{ labels: mark.join(",") }] : [])];
}
