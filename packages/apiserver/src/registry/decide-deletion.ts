import type { ApiObject } from "../store/index.ts";
import { checkDeletePreconditions, decideObjectDeletion, isFinalized } from "../resource/index.ts";
import type { DeleteOptions, DeletionDecision, DeletionRequest, Resource } from "../resource/index.ts";

/** Decides the deletion of an object. Throws Conflict if a precondition fails and Forbidden for protected objects. */
export function decideDeletion(
  resource: Resource,
  object: ApiObject,
  options: DeleteOptions,
  now: number,
): DeletionDecision {
  checkDeletePreconditions(resource, object, options.preconditions);
  const { strategy } = resource;
  const graceSeconds = strategy.gracePeriodSeconds?.bind(strategy);
  const request: DeletionRequest = {
    now,
    options,
    defaultPropagationPolicy: strategy.defaultPropagationPolicy,
    ...(graceSeconds === undefined ? {} : { graceSeconds }),
  };
  return strategy.decideDeletion?.(object, request) ?? decideObjectDeletion(object, request);
}

/** Returns whether an update removed the last finalizer of an object that is being deleted. */
export function shouldDeleteDuringUpdate({ strategy }: Resource, next: ApiObject): boolean {
  return strategy.isFinalized?.(next) ?? isFinalized(next);
}
