import { randomString, realRandom } from "@levelset/core";
import type { ObjectOf, SpecOf } from "@levelset/core";
import { Client, installCrd } from "@levelset/operator";
import simple, { Simple } from "../../../examples/01-simple/simple.ts";
import { connectSession } from "../../support/test-server.ts";
import type { ServerSession, TestServer } from "../../support/test-server.ts";

/** A Simple. */
export type SimpleObject = ObjectOf<typeof Simple>;

/** The spec of a Simple. */
export type SimpleSpec = SpecOf<typeof Simple>;

/** How long a test watches an object. */
const WATCH_SECONDS = 30;

/** A cluster with a running Simple operator, and a client. */
export class SimpleHarness implements AsyncDisposable {
  readonly target: TestServer;
  readonly session: ServerSession;
  readonly client: Client;

  private constructor(target: TestServer, current: ServerSession, client: Client) {
    this.target = target;
    this.session = current;
    this.client = client;
  }

  /** Installs the kind and starts the operator. */
  static async open(target: TestServer): Promise<SimpleHarness> {
    const current = await connectSession(target);
    const client = new Client({ fetch: current.world.fetch, fieldManager: "contract" });
    await installCrd(client, Simple, current.world);
    current.run(simple);
    return new SimpleHarness(target, current, client);
  }

  /** Creates an object with a unique name. */
  create(spec: SimpleSpec): Promise<SimpleObject> {
    const name = `s-${randomString(realRandom, 8, "abcdefghijkmnopqrstuvwxyz")}`;
    return this.client.create(Simple, { metadata: { namespace: "default", name }, spec });
  }

  /** Creates an object, watches it until the condition holds, and returns that version. */
  async createUntil(spec: SimpleSpec, isExpected: (version: SimpleObject) => boolean): Promise<SimpleObject> {
    const { name, resourceVersion } = (await this.create(spec)).metadata;
    const selection = { namespace: "default", fields: `metadata.name=${name}` };
    const watch = this.client.watch(Simple, { ...selection, resourceVersion, timeoutSeconds: WATCH_SECONDS });
    let seen: SimpleObject | undefined;
    for await (const event of watch) {
      if (event.type === "BOOKMARK") continue;
      seen = event.object;
      if (isExpected(seen)) return seen;
    }
    throw new Error(`not as expected after ${WATCH_SECONDS} s: ${JSON.stringify(seen?.status)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session[Symbol.asyncDispose]();
    await this.target[Symbol.asyncDispose]();
  }
}
