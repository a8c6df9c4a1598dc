import { kind } from "@levelset/core";
import type { AnySchema, KindDeclaration } from "@levelset/core";

/** The group of the fleet's kinds, where steps see its resources as objects. */
export const FLEET_GROUP = "fleet.levelset.dev";
/** The annotation with the name of a resource: its object is named by its id, which is never given twice. */
export const NAME_ANNOTATION = "fleet.levelset.dev/name";
/** The annotation with the id of the resource that it belongs to, if its kind has parents. */
export const OWNER_ANNOTATION = "fleet.levelset.dev/owner";

/** What a kind of the fleet is to an adapter. */
export type FleetKindDeclaration<Spec extends AnySchema, Status extends AnySchema> = Pick<
  KindDeclaration<Spec, Status>,
  "kind" | "plural" | "spec" | "status"
>;

/**
 * A kind of the fleet as steps see it: its resources are objects of no namespace, named by their ids. The schema of `spec` gives types and
 * defaults; steps are given only what is as it says. What `status` declares is what an adapter remembers of a resource from run to run.
 */
export const fleetKind: FleetKind = (declaration) =>
  kind({ ...declaration, group: FLEET_GROUP, version: "v1", scope: "Cluster" });

type FleetKind = <Spec extends AnySchema, Status extends AnySchema>(
  declaration: FleetKindDeclaration<Spec, Status>,
) => ReturnType<typeof kind<Spec, Status>>;
