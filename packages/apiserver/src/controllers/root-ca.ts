/** The certificate authority of a server on a socket, known once it listens. */
export class RootCa {
  #pem: string | undefined;
  #told: (() => void) | undefined;

  /** In PEM; undefined for a server without a socket. */
  get pem(): string | undefined {
    return this.#pem;
  }

  publish(pem: string): void {
    this.#pem = pem;
    this.#told?.();
  }

  /** Has the one who hands it out told of every change. */
  onPublish(told: () => void): void {
    this.#told = told;
  }
}
