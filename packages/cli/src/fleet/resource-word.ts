import { InputError } from "@levelset/core";
import { isProblem } from "@levelset/fleet/client";
import type { FleetCollection, KindDescription, Tagged, WireResource } from "@levelset/fleet/client";
import type { FleetSession } from "./fleet-session.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/** The kind that a word names: `cluster`, `clusters`, `Cluster`; undefined if there is none. */
export function kindIn(kinds: readonly KindDescription[], word: string): KindDescription | undefined {
  const small = word.toLowerCase();
  return kinds.find(({ kind, plural }) => plural === small || kind.toLowerCase() === small);
}

/** The kind that a word names. Throws an InputError that lists what there is. */
export function findKind(kinds: readonly KindDescription[], word: string): KindDescription {
  const kind = kindIn(kinds, word);
  if (kind !== undefined) return kind;
  throw new InputError(`the fleet has no kind ${JSON.stringify(word)}`, {
    hint: `it has ${kinds.map(({ plural }) => plural).join(", ")}; for objects of a Kubernetes cluster use kubectl`,
  });
}

/** `cluster/eu-1`: a resource as commands name it. */
export function resourceWord({ kind, name }: Pick<WireResource, "kind" | "name">): string {
  return `${kind.toLowerCase()}/${name}`;
}

/** Reads `KIND`, `KIND/NAME`, or `KIND NAME…`. */
export function parseResourceWords(words: readonly string[]): {
  readonly kind: string;
  readonly names: readonly string[];
} {
  const [first = "", ...rest] = words;
  const slash = first.indexOf("/");
  if (slash === -1) return { kind: first, names: rest };
  const kind = first.slice(0, slash);
  const names = words.map((word) => (word.startsWith(`${kind}/`) ? word.slice(slash + 1) : ""));
  if (kind !== "" && names.every((name) => name !== "")) return { kind, names };
  throw new InputError(`${JSON.stringify(words.join(" "))} does not name resources`, {
    hint: "write KIND/NAME, or KIND NAME, such as cluster/eu-1",
  });
}

/** The parent that `--in` names; undefined if it names none. Throws an InputError for a kind that has no parent. */
export async function findParent(
  session: FleetSession,
  kind: KindDescription,
  word: string | undefined,
): Promise<WireResource | undefined> {
  if (word === undefined) return undefined;
  if (kind.parentKind === undefined) throw new InputError(`a ${kind.kind} has no parent, so --in has no meaning`);
  const { names } = word.includes("/") ? parseResourceWords([word]) : { names: [word] };
  return (await findResource(session, findKind(session.kinds, kind.parentKind), names[0] ?? "", undefined)).resource;
}

/**
 * The resource of a name or an id, as it is now. Of those that share a name, one that is not being deleted goes first, or one that is being
 * deleted if `prefer` says so. Throws an InputError when there is none, or several below different parents.
 */
export async function findResource(
  session: FleetSession,
  kind: KindDescription,
  word: string,
  parent: WireResource | undefined,
  prefer: "live" | "deleting" = "live",
): Promise<Tagged> {
  const collection = session.client.collection(kind, parent);
  const { signal } = session;
  if (UUID.test(word)) return byId(collection, word, signal);
  const found = await collection.named(word, { signal });
  const preferred = found.filter((resource) => (resource.deleted_time === undefined) === (prefer === "live"));
  const [only, ...others] = preferred.length > 0 ? preferred : found;
  if (only === undefined) throw new AbsentResource(kind, word);
  if (others.length > 0) {
    const ids = [only, ...others].map(({ id, href }) => `${id} (${href.split("/").slice(-4, -2).join("/")})`);
    throw new InputError(`there are ${ids.length} ${kind.plural} called ${JSON.stringify(word)}`, {
      hint: `name the parent with --in, or write an id: ${ids.join(", ")}`,
    });
  }
  // Read again by its id: only then it has a tag.
  return byId(collection, only.id, signal);
}

async function byId(collection: FleetCollection, id: string, signal: AbortSignal): Promise<Tagged> {
  try {
    return await collection.get(id, { signal });
  } catch (error) {
    if (isProblem(error, "notFound")) throw new AbsentResource(collection.kind, id);
    throw error;
  }
}

/** No resource has the name or the id that was given. */
export class AbsentResource extends InputError {
  constructor({ kind, plural }: { readonly kind: string; readonly plural: string }, word: string) {
    super(`there is no ${kind} ${JSON.stringify(word)}`, { hint: `levelset get ${plural} lists them` });
  }
}
