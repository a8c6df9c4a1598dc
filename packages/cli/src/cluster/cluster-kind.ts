import { InputError } from "@levelset/core";
import { resolveKind } from "@levelset/operator/internal";
import type { ServedKind } from "@levelset/operator";

/** Names of kinds that every shipped fleet has and that clusters rarely have. */
const FLEET_KINDS = /^(?:cluster|nodepool)s?$/iu;

/** Resolves a kind of the cluster. For names of fleet kinds, the error explains that no fleet is configured. */
export function clusterKind(name: string, kinds: readonly ServedKind[]): ServedKind {
  try {
    return resolveKind(name, kinds);
  } catch (error) {
    if (!(error instanceof InputError) || !FLEET_KINDS.test(name)) throw error;
    throw new InputError(`${error.message} in the cluster, and no fleet is configured`, {
      hint: "start one with levelset fleet dev, or pass --fleet URL or LEVELSET_FLEET_URL",
      cause: error,
    });
  }
}
