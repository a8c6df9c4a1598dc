/**
 * Caches which frozen values are valid under a key, such as a schema. Frozen values stay valid, so the unchanged parts
 * of a large object are not validated again. Values are assumed to be frozen deeply, as by `deepFreeze`.
 */
export class ValidationCache {
  readonly #values = new WeakMap<object, WeakSet<object>>();

  /** Reports whether a value is known to be valid. */
  has(under: object, value: unknown): boolean {
    return typeof value === "object" && value !== null && this.#values.get(under)?.has(value) === true;
  }

  /** Records a valid value. Mutable values are ignored. */
  add(under: object, value: unknown): void {
    if (typeof value !== "object" || value === null || !Object.isFrozen(value)) return;
    const values = this.#values.get(under) ?? new WeakSet();
    this.#values.set(under, values);
    values.add(value);
  }
}
