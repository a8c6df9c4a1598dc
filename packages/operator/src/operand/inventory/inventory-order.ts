import type { ObjectOf, SpecOf } from "@levelset/core";
import { installOrder, parseOrder, parsePlace, placesOfRefs } from "../spec/install-order.ts";
import type { Place } from "../spec/install-order.ts";
import type { ClusterActiveOperand, Operand } from "../spec/operand-kinds.ts";
import { liveRefId } from "../spec/live-ref.ts";
import type { LiveRef } from "../spec/live-ref.ts";
import { parseManifestSet } from "../spec/manifest-set.ts";
import { INSTALL_ORDER } from "../spec/labels-and-annotations.ts";

/**
 * Returns the install order of the objects of an inventory. It is stored in the inventory, so that it is known without
 * the manifests. For an inventory without a stored order it is derived from the spec, otherwise from the kinds.
 */
export function orderOfInventory(
  { metadata, spec }: ObjectOf<ClusterActiveOperand>,
  operand?: { readonly spec: SpecOf<Operand> },
): ReadonlyMap<string, Place> {
  const stored = parseOrder(spec.live, metadata.annotations?.[INSTALL_ORDER]);
  if (stored !== undefined) return stored;
  const byKind = placesOfRefs(spec.live);
  const manifest = operand === undefined ? undefined : parseManifestSet(operand.spec, () => undefined);
  return manifest?.kind === "good" ? new Map([...byKind, ...installOrder(manifest)]) : byKind;
}

/** Returns the install order of the pending objects of a status. */
export function orderOfPending(
  pending: readonly (LiveRef & { readonly place?: string | undefined })[],
): ReadonlyMap<string, Place> {
  return new Map(
    pending.flatMap((one) => {
      const place = parsePlace(one.place ?? "");
      return place === undefined ? [] : [[liveRefId(one), place] as const];
    }),
  );
}
