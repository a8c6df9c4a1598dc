import { randomText, realRandom } from "@levelset/core";
import type { ObjectOf, SpecOf } from "@levelset/core";
import { Client, installKind } from "@levelset/operator";
import simple, { Simple } from "../../examples/01-simple/simple.ts";
import { session } from "../support/target.ts";
import type { Session, Target } from "../support/target.ts";

/** A Simple. */
export type SimpleObject = ObjectOf<typeof Simple>;

/** The spec of a Simple. */
export type SimpleSpec = SpecOf<typeof Simple>;

/** How long a test follows an object before it gives up. */
const FOLLOW_SECONDS = 30;

/** A cluster with the Simple operator on it, and a client that looks at what it does. */
export class Scene implements AsyncDisposable {
  readonly target: Target;
  readonly session: Session;
  readonly client: Client;

  private constructor(target: Target, current: Session, client: Client) {
    this.target = target;
    this.session = current;
    this.client = client;
  }

  /** Installs the kind and starts the operator. */
  static async open(target: Target): Promise<Scene> {
    const current = await session(target);
    const client = new Client({ fetch: current.world.fetch, fieldManager: "contract" });
    await installKind(client, Simple, current.world);
    current.run(simple);
    return new Scene(target, current, client);
  }

  /** Creates an object with a name of its own. */
  create(spec: SimpleSpec): Promise<SimpleObject> {
    const name = `s-${randomText(realRandom, 8, "abcdefghijkmnopqrstuvwxyz")}`;
    return this.client.create(Simple, { metadata: { namespace: "default", name }, spec });
  }

  /** Creates an object and follows it by a watch until it is as wanted; answers with the version that is. */
  async createUntil(spec: SimpleSpec, wanted: (version: SimpleObject) => boolean): Promise<SimpleObject> {
    const { name, resourceVersion } = (await this.create(spec)).metadata;
    const selection = { namespace: "default", fields: `metadata.name=${name}` };
    const watch = this.client.watch(Simple, { ...selection, resourceVersion, timeoutSeconds: FOLLOW_SECONDS });
    let seen: SimpleObject | undefined;
    for await (const event of watch) {
      if (event.type === "BOOKMARK") continue;
      seen = event.object;
      if (wanted(seen)) return seen;
    }
    throw new Error(`never as wanted: ${JSON.stringify(seen?.status)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session[Symbol.asyncDispose]();
    await this.target[Symbol.asyncDispose]();
  }
}
