import {
  apiVersionOf,
  finalizerName,
  formatLabelSelector,
  hasFinalizer,
  InputError,
  isNotFound,
  isOwnedBy,
  keyOf,
  kindId,
  labelSelectorFromObject,
  markedOwner,
  ownerMark,
  parseApiVersion,
  StatusError,
} from "@levelset/core";
import type { Kind, KubeObject, LabelSelectorObject } from "@levelset/core";
import { metadataOnly } from "../client/index.ts";
import type { Client, Discovery, Selection } from "../client/index.ts";
import type { ReadObject } from "./facts.ts";

/** Names a kind of the API. */
export interface KindRef {
  readonly apiVersion: string;
  readonly kind: string;
}

/** What an object owns, and what could not be looked at. */
export interface Children {
  readonly children: readonly ReadObject[];
  readonly blind: readonly string[];
}

/** Where children are looked for. */
export interface ChildFinderOptions {
  readonly client: Client;
  readonly discovery: Discovery;
  /** Among objects of every kind that can be listed, instead of the likely ones. */
  readonly allKinds: boolean;
  readonly signal: AbortSignal | undefined;
}

/** What operators usually make, where nobody says what theirs makes. Kinds of the operator's own group are likely, too. */
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

const PODS: KindRef = { apiVersion: "v1", kind: "Pod" };

/** What workloads make; their selectors find it. */
const MADE_BY: Readonly<Record<string, KindRef>> = {
  "apps/v1 Deployment": { apiVersion: "apps/v1", kind: "ReplicaSet" },
  "apps/v1 ReplicaSet": PODS,
  "apps/v1 StatefulSet": PODS,
  "apps/v1 DaemonSet": PODS,
  "batch/v1 Job": PODS,
};

/** Objects of a page. */
const PAGE = 500;
/** Pages of one list that are looked through. */
const PAGES_MAX = 20;
/** Children of one kind that are read in full. */
const READ_MAX = 20;
/** Kinds that are looked through at a time. */
const KINDS_MAX = 10;

/**
 * Finds the children of objects by owner references, owner marks and the labels of sets. Lists hold metadata alone; only children are then read in full,
 * and those without a status not even then. What may not be read is said in `blind`.
 */
export class ChildFinder {
  readonly #options: ChildFinderOptions;
  /** What was listed, by kind and selection: several owners share it. */
  readonly #lists = new Map<string, Promise<readonly KubeObject[]>>();

  constructor(options: ChildFinderOptions) {
    this.#options = options;
  }

  /** The children of an object; `owns` are the kinds of them where that is known. */
  async of(object: KubeObject, owns: readonly KindRef[] | undefined): Promise<Children> {
    const made = MADE_BY[`${object.apiVersion} ${object.kind}`];
    if (made !== undefined) return this.#selected(object, made);
    const kinds = await this.#candidates(object, owns);
    const found: Children[] = [];
    for (let at = 0; at < kinds.length; at += KINDS_MAX) {
      const some = kinds.slice(at, at + KINDS_MAX);
      found.push(...(await Promise.all(some.map((kind) => this.#seeing(kind, () => this.#owned(object, kind))))));
    }
    return {
      children: found.flatMap(({ children }) => children),
      blind: found.flatMap(({ blind }) => blind),
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

  /** A kind, if the cluster has it. */
  async #served(ref: KindRef): Promise<readonly Kind[]> {
    const { discovery, signal } = this.#options;
    try {
      return [await discovery.kindOf(ref, { signal })];
    } catch (error) {
      if (error instanceof InputError) return [];
      throw error;
    }
  }

  /** What a workload made, in one list. */
  async #selected(
    object: KubeObject & { readonly spec?: { readonly selector?: LabelSelectorObject } },
    made: KindRef,
  ): Promise<Children> {
    const { client, signal } = this.#options;
    const [kind] = await this.#served(made);
    if (kind === undefined) return { children: [], blind: [] };
    const labels = formatLabelSelector(labelSelectorFromObject(object.spec?.selector));
    return this.#seeing(kind, async () => {
      const { namespace } = object.metadata;
      const { items } = await client.list(kind, { namespace, labels, limit: PAGE, signal });
      return items.filter((item) => isOwnedBy(item, object));
    });
  }

  async #owned(object: KubeObject, kind: Kind): Promise<readonly KubeObject[]> {
    const lists = await Promise.all(selectionsOf(object, kind).map((selection) => this.#list(kind, selection)));
    const { uid } = object.metadata;
    // What a set of objects keeps carries a label with the set's uid; its owner may be another, which is ready itself.
    const part = `${parseApiVersion(object.apiVersion).group}/${uid}`;
    const found = new Map<string, KubeObject>();
    for (const item of lists.flat()) {
      const isPart = item.metadata.labels?.[part] !== undefined;
      if (isPart || isOwnedBy(item, object) || markedOwner(item)?.uid === uid) found.set(item.metadata.uid, item);
    }
    const children = [...found.values()].slice(0, READ_MAX);
    if (!kind.hasStatus) return children;
    return (await Promise.all(children.map((child) => this.#read(kind, child)))).flat();
  }

  #list(kind: Kind, selection: Selection): Promise<readonly KubeObject[]> {
    const id = JSON.stringify([kindId(kind), selection.namespace, selection.labels]);
    const listed = this.#lists.get(id) ?? this.#listAll(kind, selection);
    this.#lists.set(id, listed);
    return listed;
  }

  async #listAll(kind: Kind, selection: Selection): Promise<readonly KubeObject[]> {
    const { client, signal } = this.#options;
    const items: KubeObject[] = [];
    for await (const page of client.pages(metadataOnly(kind), { ...selection, limit: PAGE, signal })) {
      items.push(...page.items);
      if (items.length >= PAGE * PAGES_MAX) break;
    }
    return items;
  }

  /** A child in full; nothing if it went meanwhile. */
  async #read(kind: Kind, child: KubeObject): Promise<readonly KubeObject[]> {
    const { client, signal } = this.#options;
    try {
      return [await client.get(kind, keyOf(child), { signal })];
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  }

  /** What is found of a kind, or the line that says why it could not be looked at. */
  async #seeing(kind: Kind, look: () => Promise<readonly KubeObject[]>): Promise<Children> {
    try {
      const found = await look();
      return { children: found.map((object) => ({ object, hasStatus: kind.hasStatus })), blind: [] };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return { children: [], blind: [`${kindId(kind)} could not be looked at: ${error.message}`] };
    }
  }
}

/**
 * Where children of a kind may be: with an owner reference in the namespace of their owner, with a mark anywhere. Who marks children
 * has a finalizer, for nobody else removes them.
 */
function selectionsOf(owner: KubeObject, kind: Kind): readonly Selection[] {
  const { namespace } = owner.metadata;
  if (namespace === undefined) return [{}];
  const { group } = parseApiVersion(owner.apiVersion);
  const isMarking = hasFinalizer(owner, finalizerName({ group, kind: owner.kind }));
  const mark = Object.entries(ownerMark(owner).labels).map(([name, value]) => `${name}=${value}`);
  return [...(kind.scope === "Namespaced" ? [{ namespace }] : []), ...(isMarking ? [{ labels: mark.join(",") }] : [])];
}
