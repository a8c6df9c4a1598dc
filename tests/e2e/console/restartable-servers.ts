import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createApiServer, listen, SqliteStore } from "@levelset/apiserver";
import { realClock, realRandom, silentLogger } from "@levelset/core";
import { DEFAULT_ENTITIES, readKinds } from "@levelset/fleet";
import { FleetClient } from "@levelset/fleet/client";
import { Client, installCrd } from "@levelset/operator";
import { Fleet } from "../../support/fleet/fleet.ts";
import { Simple } from "../../../examples/01-simple/simple.ts";
import { signingKey, signToken } from "../../../packages/fleet/src/api/auth/issuer.fixture.ts";
import type { SigningKey } from "../../../packages/fleet/src/api/auth/issuer.fixture.ts";

const WORLD = { clock: realClock, random: realRandom, logger: silentLogger };
const ISSUER = "http://127.0.0.1/issuer";

/** A listening API server that can be stopped and started, with its data or empty. */
export class RestartableCluster implements AsyncDisposable {
  readonly kubeconfig: string;
  readonly #directory: string;
  #incarnation = 0;
  #text = "";
  #client: Client | undefined;
  #down: () => Promise<void> = () => Promise.resolve();

  constructor(directory: string) {
    this.#directory = directory;
    this.kubeconfig = join(directory, "kubeconfig");
  }

  /** A client that calls the server directly, without a socket. */
  get client(): Client {
    if (this.#client === undefined) throw new TypeError("the server was never started");
    return this.#client;
  }

  /** Starts the server and writes its kubeconfig with the new address and CA. `isNew` starts with an empty store. */
  async start(options: { readonly isNew?: boolean } = {}): Promise<void> {
    if (options.isNew === true) this.#incarnation += 1;
    const store = await SqliteStore.open({
      path: join(this.#directory, `cluster-${this.#incarnation}.db`),
      logger: silentLogger,
    });
    const server = createApiServer({ ...WORLD, store });
    const listening = await listen(server, { token: "right" });
    this.#client = new Client({ fetch: server.fetch, fieldManager: "test" });
    await installCrd(this.client, Simple, { clock: realClock, signal: new AbortController().signal });
    this.#text = listening.kubeconfig();
    this.#down = async () => {
      await listening.close();
      server.close();
    };
    this.writeKubeconfig();
  }

  async stop(): Promise<void> {
    await this.#down();
    this.#down = () => Promise.resolve();
  }

  /** Writes the kubeconfig with a token. */
  writeKubeconfig(token = "right"): void {
    writeFileSync(this.kubeconfig, this.#text.replace("right", token));
  }

  /** Creates objects. No operator reconciles them. */
  async create(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      await this.client.create(Simple, { metadata: { namespace: "default", name }, spec: { dividend: 1, divisor: 1 } });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.kubeconfig, { force: true });
  }
}

/** A listening fleet API with authentication that can be stopped and started. */
export class RestartableFleet implements AsyncDisposable {
  readonly tokenFile: string;
  readonly #directory: string;
  readonly #key: SigningKey;
  #port = 0;
  #down: () => Promise<void> = () => Promise.resolve();

  private constructor(directory: string, key: SigningKey) {
    this.#directory = directory;
    this.#key = key;
    this.tokenFile = join(directory, "token");
    writeFileSync(join(directory, "keys.json"), JSON.stringify({ keys: [key.jwk] }));
  }

  static async open(directory: string): Promise<RestartableFleet> {
    const fleet = new RestartableFleet(directory, await signingKey("a"));
    await fleet.start();
    await fleet.writeToken({ isExpired: false });
    return fleet;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const store = { kind: "sqlite", path: join(this.#directory, "fleet.db") } as const;
    const issuer = { issuerUrl: ISSUER, keys: { kind: "file", path: join(this.#directory, "keys.json") } } as const;
    const auth = { jwt: { issuers: [issuer], leewayMs: 0 } };
    const kinds = readKinds(DEFAULT_ENTITIES);
    const fleet = await Fleet.open({ ...WORLD, store, kinds, api: { port: this.#port, auth } });
    this.#port = (await fleet.listen()).port;
    this.#down = () => fleet[Symbol.asyncDispose]();
  }

  async stop(): Promise<void> {
    await this.#down();
    this.#down = () => Promise.resolve();
  }

  /** Writes a new token to the file. */
  async writeToken(options: { readonly isExpired: boolean }): Promise<void> {
    writeFileSync(this.tokenFile, await this.#token(options.isExpired));
  }

  async create(...names: readonly string[]): Promise<void> {
    const client = new FleetClient({ url: this.url, token: await this.#token(false) });
    const clusters = client.collection({ kind: "Cluster", plural: "clusters" });
    for (const name of names) await clusters.create({ name, spec: { region: "eu" } });
  }

  #token(isExpired: boolean): Promise<string> {
    const exp = Math.floor(realClock.now() / 1_000) + (isExpired ? -600 : 3_600);
    return signToken(this.#key, { iss: ISSUER, email: "ann@example.com", exp });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
