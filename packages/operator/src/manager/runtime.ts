import type { AnyCustomKind, Clock, Logger, Random } from "@levelset/core";
import type { Cache } from "../cache/index.ts";
import type { Controller, ControllerListener } from "../controller/index.ts";
import type { EventSink, Tracer } from "../step/index.ts";
import type { AccessNeeds } from "./rbac.ts";

/** What operators of one process share. */
export interface OperatorRuntime {
  readonly cache: Cache;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly events: EventSink;
  readonly tracer: Tracer;
  readonly listener: ControllerListener;
  /** Only these namespaces, unless the operator itself says which. */
  readonly namespaces?: readonly string[] | undefined;
}

/** A controller whose kind does not matter. */
export type AnyController = Pick<Controller<AnyCustomKind>, "health" | "runs" | "synced" | "run" | "close">;

/** What can be run together with others in one process. */
export interface Managed {
  readonly name: string;
  readonly kinds: readonly AnyCustomKind[];
  /** What it does in a cluster; see `policyRules`. */
  readonly needs: AccessNeeds;
  /** Its controller in a runtime that several share. It follows at once and works when told to. */
  readonly control: (runtime: OperatorRuntime) => AnyController;
}
