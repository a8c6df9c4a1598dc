/**
 * A Map of bounded size. Setting or getting a key makes it the newest one; beyond the bound, the oldest key is removed.
 */
export class LruCache<Key, Value> extends Map<Key, Value> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override get(key: Key): Value | undefined {
    const value = super.get(key);
    if (value !== undefined) {
      this.delete(key);
      super.set(key, value);
    }
    return value;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    const oldest = this.keys().next();
    if (this.size > this.#max && oldest.done !== true) this.delete(oldest.value);
    return this;
  }

  /** Returns the value of a key. Creates and adds a missing value. */
  getOrCreate(key: Key, create: () => Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known;
    const value = create();
    this.set(key, value);
    return value;
  }
}
