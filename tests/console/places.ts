import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createApiServer, listen, SqliteStore } from "@levelset/apiserver";
import { realClock, realRandom, silentLogger } from "@levelset/core";
import { assembledApi, DEFAULT_ENTITIES, openStore, readKinds } from "@levelset/fleet";
import { FleetClient } from "@levelset/fleet/client";
import { Client, installKind } from "@levelset/operator";
import { Simple } from "../../examples/01-simple/simple.ts";
import { signingKey, tokenBy } from "../../packages/fleet/src/api/auth/issuer.fixture.ts";
import type { SigningKey } from "../../packages/fleet/src/api/auth/issuer.fixture.ts";

const WORLD = { clock: realClock, random: realRandom, logger: silentLogger };
const ISSUER = "http://127.0.0.1/issuer";

/** A cluster on a socket that can go away and come back: with what it had, or with a history of its own. */
export class ClusterPlace implements AsyncDisposable {
  readonly kubeconfig: string;
  readonly #directory: string;
  #life = 0;
  #text = "";
  #client: Client | undefined;
  #down: () => Promise<void> = () => Promise.resolve();

  constructor(directory: string) {
    this.#directory = directory;
    this.kubeconfig = join(directory, "kubeconfig");
  }

  /** A way to it that needs no socket. */
  get client(): Client {
    if (this.#client === undefined) throw new TypeError("it was never up");
    return this.#client;
  }

  /** Starts it where it was, and writes its kubeconfig: its address, authority and token are new ones. */
  async up(options: { readonly isNew?: boolean } = {}): Promise<void> {
    if (options.isNew === true) this.#life += 1;
    const store = await SqliteStore.open({
      path: join(this.#directory, `cluster-${this.#life}.db`),
      logger: silentLogger,
    });
    const server = createApiServer({ ...WORLD, store });
    const listening = await listen(server, { token: "right" });
    this.#client = new Client({ fetch: server.fetch, fieldManager: "test" });
    await installKind(this.client, Simple, { clock: realClock, signal: new AbortController().signal });
    this.#text = listening.kubeconfig();
    this.#down = async () => {
      await listening.close();
      server.close();
    };
    this.writeKubeconfig();
  }

  async down(): Promise<void> {
    await this.#down();
    this.#down = () => Promise.resolve();
  }

  /** Writes the kubeconfig, with this token. */
  writeKubeconfig(token = "right"): void {
    writeFileSync(this.kubeconfig, this.#text.replace("right", token));
  }

  /** Makes objects, which stay as they are: no operator runs. */
  async make(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      await this.client.create(Simple, { metadata: { namespace: "default", name }, spec: { dividend: 1, divisor: 1 } });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down();
    rmSync(this.kubeconfig, { force: true });
  }
}

/** A fleet on a socket that wants tokens, and that can go away and come back. */
export class FleetPlace implements AsyncDisposable {
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

  static async open(directory: string): Promise<FleetPlace> {
    const place = new FleetPlace(directory, await signingKey("a"));
    await place.up();
    await place.writeToken({ isExpired: false });
    return place;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async up(): Promise<void> {
    const store = await openStore({ kind: "sqlite", path: join(this.#directory, "fleet.db") }, WORLD);
    const issuer = { issuerUrl: ISSUER, keys: { kind: "file", path: join(this.#directory, "keys.json") } } as const;
    const auth = { jwt: { issuers: [issuer], leewayMs: 0 } };
    const kinds = readKinds(DEFAULT_ENTITIES);
    const api = assembledApi({ ...WORLD, store, kinds, port: this.#port, version: "test", auth });
    this.#port = (await api.listen()).port;
    this.#down = async () => {
      await api.close();
      await store.close();
    };
  }

  async down(): Promise<void> {
    await this.#down();
    this.#down = () => Promise.resolve();
  }

  /** Puts a new token into the file. */
  async writeToken(options: { readonly isExpired: boolean }): Promise<void> {
    writeFileSync(this.tokenFile, await this.#token(options.isExpired));
  }

  async make(...names: readonly string[]): Promise<void> {
    const client = new FleetClient({ url: this.url, token: await this.#token(false) });
    const clusters = client.collection({ kind: "Cluster", plural: "clusters" });
    for (const name of names) await clusters.create({ name, spec: { region: "eu" } });
  }

  #token(isExpired: boolean): Promise<string> {
    const exp = Math.floor(realClock.now() / 1_000) + (isExpired ? -600 : 3_600);
    return tokenBy(this.#key, { iss: ISSUER, email: "ann@example.com", exp });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.down();
  }
}
