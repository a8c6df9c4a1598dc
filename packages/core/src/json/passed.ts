/**
 * Remembers which frozen values passed a test under something, such as a schema. What cannot change passes it for ever, so a large
 * object of which little was written need not be looked at again as a whole. Frozen is taken to be frozen throughout, as by
 * `deepFreeze`.
 */
export class Passed {
  readonly #values = new WeakMap<object, WeakSet<object>>();

  /** Whether a value is known to have passed. */
  has(under: object, value: unknown): boolean {
    return typeof value === "object" && value !== null && this.#values.get(under)?.has(value) === true;
  }

  /** Remembers a value that passed. One that may still change is not remembered. */
  add(under: object, value: unknown): void {
    if (typeof value !== "object" || value === null || !Object.isFrozen(value)) return;
    const values = this.#values.get(under) ?? new WeakSet();
    this.#values.set(under, values);
    values.add(value);
  }
}
