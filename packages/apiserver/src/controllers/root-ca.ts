/** The CA certificate of a listening server, set once it listens. */
export class RootCa {
  #pem: string | undefined;
  #onChange: (() => void) | undefined;

  /** PEM text; undefined if the server does not listen. */
  get pem(): string | undefined {
    return this.#pem;
  }

  publish(pem: string): void {
    this.#pem = pem;
    this.#onChange?.();
  }

  /** Sets the callback for changes. */
  listener(onChange: () => void): void {
    this.#onChange = onChange;
  }
}
