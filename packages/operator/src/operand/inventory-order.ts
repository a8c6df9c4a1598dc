import type { ObjectOf, SpecOf } from "@levelset/core";
import { installOrder, parseOrder, parsePlace, placesOfRefs } from "./install-order.ts";
import type { Place } from "./install-order.ts";
import type { ClusterActiveOperand, Operand } from "./kinds.ts";
import { refId } from "./live-ref.ts";
import type { LiveRef } from "./live-ref.ts";
import { readManifest } from "./manifest.ts";
import { INSTALL_ORDER } from "./marks.ts";

/**
 * Where the objects of an inventory came when they were installed. The inventory stores it, so that it is known when the manifests
 * are gone. For an inventory of an earlier version, which stores none, the spec says it, and else the kinds.
 */
export function orderOfInventory(
  { metadata, spec }: ObjectOf<ClusterActiveOperand>,
  operand?: { readonly spec: SpecOf<Operand> },
): ReadonlyMap<string, Place> {
  const stored = parseOrder(spec.live, metadata.annotations?.[INSTALL_ORDER]);
  if (stored !== undefined) return stored;
  const byKind = placesOfRefs(spec.live);
  const manifest = operand === undefined ? undefined : readManifest(operand.spec, () => undefined);
  return manifest?.kind === "good" ? new Map([...byKind, ...installOrder(manifest)]) : byKind;
}

/** Where leftovers came that a status names. */
export function orderOfPending(
  pending: readonly (LiveRef & { readonly place?: string | undefined })[],
): ReadonlyMap<string, Place> {
  return new Map(
    pending.flatMap((one) => {
      const place = parsePlace(one.place ?? "");
      return place === undefined ? [] : [[refId(one), place] as const];
    }),
  );
}
