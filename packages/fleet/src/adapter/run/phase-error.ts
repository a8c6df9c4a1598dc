/** The parts of a run. */
export type Phase = "params" | "preconditions" | "resources" | "post_actions";

/**
 * A phase failed at a step. Transient: trying the same again later may help. `isNotFound`: the fleet's API does not know the resource (any more), which is no
 * failure of the adapter.
 */
export class PhaseError extends Error {
  override readonly name = "PhaseError";
  readonly phase: Phase;
  readonly step: string;
  readonly isTransient: boolean;
  readonly isNotFound: boolean;

  constructor(
    phase: Phase,
    step: string,
    message: string,
    { isTransient = false, isNotFound = false }: { readonly isTransient?: boolean; readonly isNotFound?: boolean } = {},
  ) {
    super(message);
    this.phase = phase;
    this.step = step;
    this.isTransient = isTransient;
    this.isNotFound = isNotFound;
  }
}
