import { apiVersionOf, applyDefaults, ELSEWHERE_ANNOTATION } from "@levelset/core";
import type { AnyCustomKind, JsonObject, KubeObject } from "@levelset/core";
import { RECONCILE_ANNOTATION } from "@levelset/operator";
import type { WireResource } from "../../client/index.ts";
import { NAME_ANNOTATION, OWNER_ANNOTATION } from "./fleet-kind.ts";

/** What is known of a resource beside what the API says. */
export interface ObjectState {
  readonly finalizer: string;
  /** Whether the finalizer is gone already: cleanup is complete. */
  readonly isFinalized: boolean;
  /** What the steps remember. */
  readonly status: JsonObject | undefined;
  /** Which run is asked for. */
  readonly ask: string;
}

/** A resource of the fleet as an object that steps can reconcile. */
export function fleetObject(kind: AnyCustomKind, resource: WireResource, state: ObjectState): KubeObject {
  const { id, name, generation, labels, spec, created_time: created, deleted_time: deleted } = resource;
  const { owner_references: owner } = resource;
  // Steps read what the declaration promises, defaults included: the API knows nothing of them.
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
        [ELSEWHERE_ANNOTATION]: "true",
        [NAME_ANNOTATION]: name,
        ...(owner === undefined ? {} : { [OWNER_ANNOTATION]: owner.id }),
        [RECONCILE_ANNOTATION]: state.ask,
      },
    },
    spec,
    ...(state.status === undefined ? {} : { status: state.status }),
  }) as KubeObject;
}
