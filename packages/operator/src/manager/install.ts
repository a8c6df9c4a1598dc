import {
  applyMergePatch,
  crdOf,
  CustomResourceDefinition,
  deepEqual,
  InputError,
  isNotFound,
  kindId,
} from "@levelset/core";
import type { AnyCustomKind, Clock, CrdSpec, JsonValue, Kind, ObjectOf } from "@levelset/core";
import type { Client } from "../client/index.ts";

const ESTABLISHED = { pollMs: 50, timeoutMs: 30_000 } as const;

/** How a kind is installed. */
export interface InstallOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Where we may look for its objects. Default: everywhere. */
  readonly namespace?: string | undefined;
}

/** What was done about a kind's CRD. */
export type Installed = "created" | "updated" | "unchanged";

/**
 * Makes the cluster know a kind: creates its CRD, or updates one that differs, and waits until it is served. A CRD that also has
 * versions unknown to us is left alone with an error, because replacing it would take them from their users.
 */
export async function installKind(client: Client, kind: AnyCustomKind, options: InstallOptions): Promise<Installed> {
  const wanted = crdOf(kind);
  const key = { name: wanted.metadata.name };
  const live = await found(client.get(CustomResourceDefinition, key, options));
  if (live === undefined) {
    await client.create(CustomResourceDefinition, wanted, options);
    await established(client, kind, options);
    return "created";
  }
  const unknown = live.spec.versions.filter((version) => version.name !== kind.version).map((version) => version.name);
  if (unknown.length > 0) {
    throw new InputError(
      `the cluster's ${key.name} also has ${unknown.join(", ")}, which this operator does not declare`,
      {
        hint: "update the CRD by hand, or run without installing CRDs",
      },
    );
  }
  if (covers(live.spec, wanted.spec)) return "unchanged";
  // The version refuses the write if somebody else updated the CRD meanwhile.
  const { resourceVersion } = live.metadata;
  await client.mergePatch(CustomResourceDefinition, key, { metadata: { resourceVersion }, spec: wanted.spec }, options);
  await established(client, kind, options);
  return "updated";
}

/** Whether the cluster serves a kind. Asks for its objects in one namespace where those of all may not be seen. */
export async function isServed(
  client: Client,
  kind: Kind,
  options: { readonly namespace?: string | undefined; readonly signal?: AbortSignal } = {},
): Promise<boolean> {
  const { namespace, signal } = options;
  const where = kind.scope === "Namespaced" ? { namespace } : {};
  return (await found(client.list(kind, { ...where, limit: 1, signal }))) !== undefined;
}

/** Whether applying `wanted` would change nothing. Fields that a server adds (`conversion`) do not count. */
function covers(live: CrdSpec, wanted: CrdSpec): boolean {
  // CRDs are JSON by their declaration; interfaces only lack the index signature.
  const merged = applyMergePatch(live as unknown as JsonValue, wanted as unknown as JsonValue);
  return deepEqual(merged, live);
}

async function established(client: Client, kind: AnyCustomKind, options: InstallOptions): Promise<void> {
  const deadline = options.clock.monotonic() + ESTABLISHED.timeoutMs;
  for (;;) {
    const crd: ObjectOf<typeof CustomResourceDefinition> = await client.get(
      CustomResourceDefinition,
      { name: kindId(kind) },
      options,
    );
    const accepted = crd.status?.conditions?.some(({ type, status }) => type === "Established" && status === "True");
    if (accepted === true && (await isServed(client, kind, options))) return;
    if (options.clock.monotonic() > deadline) {
      const why = crd.status?.conditions?.find(({ status }) => status === "False")?.message ?? "no reason was given";
      throw new InputError(`the cluster did not begin to serve ${kindId(kind)}: ${why}`);
    }
    await options.clock.sleep(ESTABLISHED.pollMs, options.signal);
  }
}

async function found<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
