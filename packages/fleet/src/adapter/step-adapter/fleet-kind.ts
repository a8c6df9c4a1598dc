import { kind } from "@levelset/core";
import type { AnySchema } from "@levelset/core/schema";
import type { KindDeclaration } from "@levelset/core";

/** API group under which steps see fleet resources as objects. */
export const FLEET_GROUP = "fleet.levelset.dev";
/** Annotation with the name of a resource: its object is named by its ID, which is never reused. */
export const NAME_ANNOTATION = "fleet.levelset.dev/name";
/** Annotation with the ID of the parent resource, if the kind has parents. */
export const OWNER_ANNOTATION = "fleet.levelset.dev/owner";

/** Declaration of a fleet kind for adapters. */
export type FleetKindDeclaration<Spec extends AnySchema, Status extends AnySchema> = Pick<
  KindDeclaration<Spec, Status>,
  "kind" | "plural" | "spec" | "status"
>;

/**
 * Declares a fleet kind for steps: its resources are cluster-scoped objects named by ID. The schema of `spec` gives
 * types and defaults; steps only receive valid specs. `status` declares what an adapter remembers of a resource
 * between runs.
 */
export const fleetKind: FleetKind = (declaration) =>
  kind({ ...declaration, group: FLEET_GROUP, version: "v1", scope: "Cluster" });

type FleetKind = <Spec extends AnySchema, Status extends AnySchema>(
  declaration: FleetKindDeclaration<Spec, Status>,
) => ReturnType<typeof kind<Spec, Status>>;
