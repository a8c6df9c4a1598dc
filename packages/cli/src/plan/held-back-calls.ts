import { ExternalHeldBack } from "@levelset/operator/internal";
import type { ExternalCall, ExternalInterceptor } from "@levelset/operator/internal";

/** Holds back every call of `external` steps, and records it once per step and object. */
export class HeldBackCalls implements ExternalInterceptor {
  readonly #calls = new Map<string, ExternalCall>();
  readonly #uids = new Set<string>();

  /** The calls in the order in which they were first attempted. */
  get calls(): readonly ExternalCall[] {
    return [...this.#calls.values()];
  }

  /** Reports whether a call about the object with this uid was held back. */
  hasCallOf(uid: string): boolean {
    return this.#uids.has(uid);
  }

  intercept<Answer>(call: ExternalCall): Promise<Answer> {
    const id = `${call.verb} ${call.step} ${call.object.uid}`;
    if (!this.#calls.has(id)) this.#calls.set(id, call);
    this.#uids.add(call.object.uid);
    return Promise.reject(new ExternalHeldBack());
  }
}
