import { InputError } from "@levelset/core";
import { kindNamed } from "@levelset/operator";
import type { ServedKind } from "@levelset/operator";

/** Words for kinds that every shipped fleet has, and hardly a cluster. */
const OF_FLEETS = /^(?:cluster|nodepool)s?$/iu;

/** The kind of a cluster that a word names. A word that looks like a kind of a fleet is explained: no fleet is known here. */
export function clusterKind(word: string, kinds: readonly ServedKind[]): ServedKind {
  try {
    return kindNamed(word, kinds);
  } catch (error) {
    if (!(error instanceof InputError) || !OF_FLEETS.test(word)) throw error;
    throw new InputError(`${error.message} in the cluster, and no fleet is known here`, {
      hint: "levelset fleet dev starts a fleet in this directory; --fleet URL or LEVELSET_FLEET_URL names another",
      cause: error,
    });
  }
}
