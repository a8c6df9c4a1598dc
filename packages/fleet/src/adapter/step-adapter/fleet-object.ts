import { apiVersionOf } from "@levelset/core";
import { applyDefaults } from "@levelset/core/schema";
import { REMOTE_OWNER_ANNOTATION } from "@levelset/core/internal";
import type { AnyCustomKind, JsonObject, KubeObject } from "@levelset/core";
import { RECONCILE_ANNOTATION } from "@levelset/operator/internal";
import type { WireResource } from "../../client/index.ts";
import { NAME_ANNOTATION, OWNER_ANNOTATION } from "./fleet-kind.ts";

/** State of a resource in addition to what the API returns. */
export interface FleetObjectState {
  readonly finalizer: string;
  /** Whether the finalizer is removed already: cleanup is complete. */
  readonly isFinalized: boolean;
  /** Status remembered by the steps. */
  readonly status: JsonObject | undefined;
  /** Identifies the requested run. */
  readonly reconcileRequest: string;
}

/** Converts a fleet resource to an object that steps can reconcile. */
export function fleetObject(kind: AnyCustomKind, resource: WireResource, state: FleetObjectState): KubeObject {
  const { id, name, generation, labels, spec, created_time: created, deleted_time: deleted } = resource;
  const { owner_references: owner } = resource;
  // Applies the declared defaults, which the API does not know.
  return applyDefaults(kind.schema, {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {
      name: id,
      uid: id,
      generation,
      resourceVersion: "0",
      creationTimestamp: created,
      ...(deleted === undefined ? {} : { deletionTimestamp: deleted }),
      ...(state.isFinalized ? {} : { finalizers: [state.finalizer] }),
      ...(labels === undefined ? {} : { labels }),
      annotations: {
        [REMOTE_OWNER_ANNOTATION]: "true",
        [NAME_ANNOTATION]: name,
        ...(owner === undefined ? {} : { [OWNER_ANNOTATION]: owner.id }),
        [RECONCILE_ANNOTATION]: state.reconcileRequest,
      },
    },
    spec,
    ...(state.status === undefined ? {} : { status: state.status }),
  }) as KubeObject;
}
