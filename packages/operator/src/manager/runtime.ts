import type { AnyCustomKind, Clock, Logger, Random } from "@levelset/core";
import type { Cache } from "../cache/index.ts";
import type { Controller, ControllerListener } from "../controller/index.ts";
import type { EffectHooks, EventSink, StepScope, Tracer } from "../engine/index.ts";
import type { RbacNeeds } from "./rbac.ts";

/** Dependencies that the operators of one process share. */
export interface OperatorRuntime extends EffectHooks {
  readonly cache: Cache;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly events: EventSink;
  readonly tracer: Tracer;
  /** Attributes work that steps start; absent if that is not needed. */
  readonly stepScope?: StepScope | undefined;
  readonly listener: ControllerListener;
  /** Only these namespaces, unless the operator declares its own. */
  readonly namespaces?: readonly string[] | undefined;
}

/** A controller whose kind does not matter. */
export type AnyController = Pick<Controller<AnyCustomKind>, "health" | "runs" | "synced" | "run" | "close">;

/** An operator that can run with others in one process. */
export interface ManagedOperator {
  readonly name: string;
  readonly kinds: readonly AnyCustomKind[];
  /** Its RBAC needs; see `policyRules`. */
  readonly rbac: RbacNeeds;
  /** Creates its controller in a shared runtime. Watches start at once; reconciling starts with `run`. */
  readonly createController: (runtime: OperatorRuntime) => AnyController;
}
