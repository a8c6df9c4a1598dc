import { InputError } from "@levelset/core";
import type { ClusterAccess, Credential, Credentials } from "@levelset/operator";

/**
 * The same way to a cluster for as long as it is needed: when the server refuses its credentials they are read anew, for whoever logs
 * in again has them replaced in their kubeconfig.
 */
export function renewedAccess(access: ClusterAccess, read: () => Promise<ClusterAccess>): ClusterAccess {
  return { ...access, credentials: new RenewedCredentials(access, read) };
}

class RenewedCredentials implements Credentials {
  readonly #access: ClusterAccess;
  readonly #read: () => Promise<ClusterAccess>;
  #credentials: Promise<Credentials>;
  #isRefused = false;

  constructor(access: ClusterAccess, read: () => Promise<ClusterAccess>) {
    this.#access = access;
    this.#read = read;
    this.#credentials = Promise.resolve(access.credentials);
  }

  async current(): Promise<Credential> {
    if (this.#isRefused) {
      this.#isRefused = false;
      this.#credentials = this.#readAnew(this.#credentials);
    }
    return (await this.#credentials).current();
  }

  reject(credential: Credential): void {
    this.#isRefused = true;
    void this.#credentials.then((credentials) => credentials.reject(credential));
  }

  /** Those of another server are of no use here, nor is a file that somebody is just writing. */
  async #readAnew(known: Promise<Credentials>): Promise<Credentials> {
    try {
      const access = await this.#read();
      if (access.server === this.#access.server) return access.credentials;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
    return known;
  }
}
