import { InputError } from "@levelset/core";
import { isFleetApiError } from "@levelset/fleet/client";
import type { FleetCollection, KindDescription, TaggedResource, WireResource } from "@levelset/fleet/client";
import type { FleetSession } from "./fleet-session.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/** Returns the kind with this name, plural or singular, in any case; undefined if there is none. */
export function matchKind(kinds: readonly KindDescription[], name: string): KindDescription | undefined {
  const small = name.toLowerCase();
  return kinds.find(({ kind, plural }) => plural === small || kind.toLowerCase() === small);
}

/** Returns the kind with this name. Throws an InputError that lists the kinds of the fleet. */
export function findKind(kinds: readonly KindDescription[], name: string): KindDescription {
  const kind = matchKind(kinds, name);
  if (kind !== undefined) return kind;
  throw new InputError(`the fleet has no kind ${JSON.stringify(name)}`, {
    hint: `it has ${kinds.map(({ plural }) => plural).join(", ")}; for objects of a Kubernetes cluster use kubectl`,
  });
}

/** Formats a resource as commands take it: `cluster/eu-1`. */
export function formatResourceArg({ kind, name }: Pick<WireResource, "kind" | "name">): string {
  return `${kind.toLowerCase()}/${name}`;
}

/** Parses `KIND`, `KIND/NAME` or `KIND NAME…`. */
export function parseResourceArgs(args: readonly string[]): {
  readonly kind: string;
  readonly names: readonly string[];
} {
  const [first = "", ...rest] = args;
  const slash = first.indexOf("/");
  if (slash === -1) return { kind: first, names: rest };
  const kind = first.slice(0, slash);
  const names = args.map((name) => (name.startsWith(`${kind}/`) ? name.slice(slash + 1) : ""));
  if (kind !== "" && names.every((name) => name !== "")) return { kind, names };
  throw new InputError(`${JSON.stringify(args.join(" "))} does not name resources`, {
    hint: "write KIND/NAME or KIND NAME, e.g. cluster/eu-1",
  });
}

/** Returns the parent of `--in`, or undefined without the flag. Throws an InputError for a kind without parent. */
export async function findParent(
  session: FleetSession,
  kind: KindDescription,
  name: string | undefined,
): Promise<WireResource | undefined> {
  if (name === undefined) return undefined;
  if (kind.parentKind === undefined) throw new InputError(`a ${kind.kind} has no parent: --in does not apply`);
  const { names } = name.includes("/") ? parseResourceArgs([name]) : { names: [name] };
  return (await findResource(session, findKind(session.kinds, kind.parentKind), names[0] ?? "", undefined)).resource;
}

/**
 * Reads the resource with a name or id. If several have the name, one that is not being deleted is preferred, or with
 * `prefer: "deleting"` one that is. Throws an InputError if there is none, or if several parents have one.
 */
export async function findResource(
  session: FleetSession,
  kind: KindDescription,
  name: string,
  parent: WireResource | undefined,
  prefer: "live" | "deleting" = "live",
): Promise<TaggedResource> {
  const collection = session.client.collection(kind, parent);
  const { signal } = session;
  if (UUID.test(name)) return byId(collection, name, signal);
  const found = await collection.findByName(name, { signal });
  const preferred = found.filter((resource) => (resource.deleted_time === undefined) === (prefer === "live"));
  const [only, ...others] = preferred.length > 0 ? preferred : found;
  if (only === undefined) throw new ResourceNotFound(kind, name);
  if (others.length > 0) {
    const ids = [only, ...others].map(({ id, href }) => `${id} (${href.split("/").slice(-4, -2).join("/")})`);
    throw new InputError(`there are ${ids.length} ${kind.plural} named ${JSON.stringify(name)}`, {
      hint: `pass the parent with --in, or use an id: ${ids.join(", ")}`,
    });
  }
  // Read again by id: only this response has an ETag.
  return byId(collection, only.id, signal);
}

async function byId(collection: FleetCollection, id: string, signal: AbortSignal): Promise<TaggedResource> {
  try {
    return await collection.get(id, { signal });
  } catch (error) {
    if (isFleetApiError(error, "notFound")) throw new ResourceNotFound(collection.kind, id);
    throw error;
  }
}

/** No resource has the given name or id. */
export class ResourceNotFound extends InputError {
  constructor({ kind, plural }: { readonly kind: string; readonly plural: string }, name: string) {
    super(`there is no ${kind} ${JSON.stringify(name)}`, { hint: `levelset get ${plural} lists them` });
  }
}
