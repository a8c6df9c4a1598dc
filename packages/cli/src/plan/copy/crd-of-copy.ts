import { crdOf, CustomResourceDefinition, isNotFound, kindId, StatusError } from "@levelset/core";
import { isBuiltIn } from "@levelset/core/internal";
import { apiVersionOf } from "@levelset/core";
import type { Kind, NewOf } from "@levelset/core";
import type { Client, ManagedOperator } from "@levelset/operator";
import type { CopiedCollection } from "./copied-collection.ts";

type NewCrd = NewOf<typeof CustomResourceDefinition>;

/**
 * Returns the CustomResourceDefinitions of a copy: those of the operators as they declare them, because they are part of
 * the upgrade, and those of other kinds as the cluster has them.
 */
export async function crdsOfCopy(
  client: Client,
  operators: readonly ManagedOperator[],
  collections: readonly CopiedCollection[],
  signal: AbortSignal,
): Promise<readonly NewCrd[]> {
  const own = operators.flatMap(({ kinds }) => kinds);
  const others = collections.filter(({ kind, isOwn }) => !isOwn && !isBuiltIn({ apiVersion: apiVersionOf(kind) }));
  const kinds = new Map(others.map(({ kind }) => [kindId(kind), kind]));
  for (const kind of own) kinds.delete(kindId(kind));
  const live = await Promise.all([...kinds.values()].map((kind) => liveCrd(client, kind, signal)));
  return [...own.map((kind) => crdOf(kind)), ...live];
}

/** A server requires the annotation for groups of the Kubernetes project. */
function metadataOf(kind: Kind): NewCrd["metadata"] {
  return { name: kindId(kind), annotations: { "api-approved.kubernetes.io": "unapproved, a copy" } };
}

/** Returns the schema of the cluster for a kind; one that accepts all fields if CRDs may not be read. */
async function liveCrd(client: Client, kind: Kind, signal: AbortSignal): Promise<NewCrd> {
  try {
    const { spec } = await client.get(CustomResourceDefinition, { name: kindId(kind) }, { signal });
    const { conversion: _conversion, ...rest } = spec;
    // Objects are copied in the version that the operator uses, so that no conversion is needed.
    const versions = spec.versions
      .filter(({ name }) => name === kind.version)
      .map((version) => ({ ...version, served: true, storage: true }));
    return versions.length === 0 ? permissiveCrd(kind) : { metadata: metadataOf(kind), spec: { ...rest, versions } };
  } catch (error) {
    if (isNotFound(error) || (error instanceof StatusError && error.reason === "Forbidden")) return permissiveCrd(kind);
    throw error;
  }
}

function permissiveCrd(of: Kind): NewCrd {
  const { group, version: name, kind, plural, singular, scope, hasStatus } = of;
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;
  const subresources = hasStatus ? { status: {} } : {};
  return {
    metadata: metadataOf(of),
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular },
      scope,
      versions: [{ name, served: true, storage: true, schema: { openAPIV3Schema }, subresources }],
    },
  };
}
