/** A Map of bounded size. Setting a key makes it the newest one; beyond the bound, the oldest key is removed. */
export class LruCache<Key, Value> extends Map<Key, Value> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    const oldest = this.keys().next();
    if (this.size > this.#max && oldest.done !== true) this.delete(oldest.value);
    return this;
  }
}
