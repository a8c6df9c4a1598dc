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

  /** Changes an object's spec. */
  patch(object: SimpleObject, spec: Partial<SimpleSpec>): Promise<SimpleObject> {
    return this.client.mergePatch(Simple, { namespace: "default", name: object.metadata.name }, { spec });
  }

  /** Follows an object by a watch until it is as wanted; answers with every version seen on the way, the last one as wanted. */
  async follow(
    object: SimpleObject,
    wanted: (version: SimpleObject) => boolean,
  ): Promise<readonly [...SimpleObject[], SimpleObject]> {
    const seen: SimpleObject[] = [object];
    const { name, resourceVersion } = object.metadata;
    const selection = { namespace: "default", fields: `metadata.name=${name}` };
    const watch = this.client.watch(Simple, { ...selection, resourceVersion, timeoutSeconds: FOLLOW_SECONDS });
    for await (const event of watch) {
      if (event.type === "BOOKMARK") continue;
      if (wanted(event.object)) return [...seen, event.object];
      seen.push(event.object);
    }
    throw new Error(`never as wanted: ${JSON.stringify(seen.at(-1)?.status)}`);
  }

  /** Creates an object and follows it until it is as wanted; answers with the version that is. */
  async createUntil(spec: SimpleSpec, wanted: (version: SimpleObject) => boolean): Promise<SimpleObject> {
    return last(await this.follow(await this.create(spec), wanted));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session[Symbol.asyncDispose]();
    await this.target[Symbol.asyncDispose]();
  }
}

/** The last of a list that has one. */
export function last<T>(list: readonly [...T[], T]): T {
  // The type says that there is one; indexing does not know.
  return list.at(-1) as T;
}
