import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import type { CryptoKey, JWK } from "jose";
import type { RequestHeaders } from "../route.ts";

/** A key pair with an ID. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** Generates a key pair. */
export async function signingKey(kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" } };
}

/** Returns a signed token. Claims with the value undefined are omitted. */
export async function signToken(key: SigningKey, claims: Readonly<Record<string, unknown>>): Promise<string> {
  const known = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  return await new SignJWT(known).setProtectedHeader({ alg: "RS256", kid: key.kid }).sign(key.privateKey);
}

/** Returns headers as the server passes them. */
export function requestHeaders(headers: Readonly<Record<string, string>>): RequestHeaders {
  const all = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { get: (name) => all.get(name.toLowerCase()) };
}

/** A key server on loopback. */
export class KeyServer implements AsyncDisposable {
  keys: readonly JWK[] = [];
  /** The response status; 200 serves the keys. */
  status = 200;
  requests = 0;
  readonly #server = createServer((_request, response) => {
    this.requests += 1;
    response.writeHead(this.status, { "content-type": "application/json", location: this.url });
    response.end(JSON.stringify({ keys: this.keys }));
  });

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get url(): string {
    // A server that listens on a port has an address of this type.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/keys`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
