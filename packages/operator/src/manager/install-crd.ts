import { applyMergePatch } from "@levelset/core/apply";
import { crdOf, CustomResourceDefinition, InputError, isNotFound, kindId } from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import type { AnyCustomKind, Clock, JsonValue, Kind, ObjectOf } from "@levelset/core";
import type { CrdSpec } from "@levelset/core/schema";
import type { Client } from "../client/index.ts";

const ESTABLISHED = { pollMs: 50, timeoutMs: 30_000 } as const;

/** Options of {@link installCrd}. */
export interface InstallCrdOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Namespace in which its objects may be listed. Default: all namespaces. */
  readonly namespace?: string | undefined;
}

/** The result of installing a CRD. */
export type InstallCrdResult = "created" | "updated" | "unchanged";

/**
 * Creates or updates the CRD of a kind and waits until the kind is served. Rejects without a change if the CRD has
 * versions that the kind does not declare, because an update would remove them.
 */
export async function installCrd(
  client: Client,
  kind: AnyCustomKind,
  options: InstallCrdOptions,
): Promise<InstallCrdResult> {
  const desired = crdOf(kind);
  const key = { name: desired.metadata.name };
  const live = await found(client.get(CustomResourceDefinition, key, options));
  if (live === undefined) {
    await client.create(CustomResourceDefinition, desired, options);
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
  if (covers(live.spec, desired.spec)) return "unchanged";
  // With a resourceVersion the server rejects the write if another client updated the CRD meanwhile.
  const { resourceVersion } = live.metadata;
  await client.mergePatch(
    CustomResourceDefinition,
    key,
    { metadata: { resourceVersion }, spec: desired.spec },
    options,
  );
  await established(client, kind, options);
  return "updated";
}

/**
 * Resolves with whether the cluster serves a kind. Lists its objects in one namespace if a cluster-wide list is not
 * allowed.
 */
export async function isServed(
  client: Client,
  kind: Kind,
  options: { readonly namespace?: string | undefined; readonly signal?: AbortSignal } = {},
): Promise<boolean> {
  const { namespace, signal } = options;
  const where = kind.scope === "Namespaced" ? { namespace } : {};
  return (await found(client.list(kind, { ...where, limit: 1, signal }))) !== undefined;
}

/** Returns whether applying `wanted` would change nothing. Ignores fields that the server adds (`conversion`). */
function covers(live: CrdSpec, desired: CrdSpec): boolean {
  // CRDs are JSON by their declaration; interfaces only lack the index signature.
  const merged = applyMergePatch(live as unknown as JsonValue, desired as unknown as JsonValue);
  return deepEqual(merged, live);
}

async function established(client: Client, kind: AnyCustomKind, options: InstallCrdOptions): Promise<void> {
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
      const why =
        crd.status?.conditions?.find(({ status }) => status === "False")?.message ?? "no condition states a reason";
      throw new InputError(`the cluster does not serve ${kindId(kind)} after its CRD was installed: ${why}`);
    }
    await options.clock.sleep(ESTABLISHED.pollMs, options.signal);
  }
}

async function found<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
