import { ConfigMap, isAlreadyExists, Namespace, ServiceAccount } from "@levelset/core";
import { deepEqual } from "@levelset/core/internal";
import type { Kind, NewOf } from "@levelset/core";
import { namespaceResource } from "../kinds/index.ts";
import type { ControllerClient } from "./controller-client.ts";
import type { BuiltinController } from "./controller.ts";
import type { RecordChange } from "./change-feed.ts";
import type { RootCa } from "./root-ca.ts";

const ACCOUNT = "default";
const ROOT_CA = "kube-root-ca.crt";

/** Creates the service account `default` and the config map `kube-root-ca.crt` in every namespace. */
export class ServiceAccountController implements BuiltinController {
  readonly name = "service account controller";
  readonly #actor: ControllerClient;
  readonly #rootCa: RootCa;

  constructor(options: { readonly actor: ControllerClient; readonly rootCa: RootCa }) {
    this.#actor = options.actor;
    this.#rootCa = options.rootCa;
  }

  *affectedKeys({ key }: RecordChange): Iterable<string> {
    if (key.resource === namespaceResource.id) yield key.name;
    if (key.resource === "serviceaccounts" && key.name === ACCOUNT) yield key.namespace;
    if (key.resource === "configmaps" && key.name === ROOT_CA) yield key.namespace;
  }

  setEnqueue(enqueue: (namespace: string) => void): void {
    this.#rootCa.listener(() => {
      for (const { metadata } of this.#actor.list(Namespace)) enqueue(metadata.name);
    });
  }

  async sync(namespace: string): Promise<undefined> {
    const home = this.#actor.get(Namespace, "", namespace);
    if (home === undefined || home.metadata.deletionTimestamp !== undefined) return;
    await this.#ensure(ServiceAccount, namespace, { metadata: { name: ACCOUNT, namespace } });
    const { pem } = this.#rootCa;
    if (pem === undefined) return;
    const data = { "ca.crt": pem };
    const present = this.#actor.get(ConfigMap, namespace, ROOT_CA);
    if (present !== undefined && !deepEqual(present.data, data)) {
      await this.#actor.update(ConfigMap, present, (old) => ({ ...old, data }));
      return;
    }
    await this.#ensure(ConfigMap, namespace, { metadata: { name: ROOT_CA, namespace }, data });
  }

  async #ensure<K extends Kind>(kind: K, namespace: string, fields: NewOf<K>): Promise<void> {
    const { name = "" } = fields.metadata;
    if (this.#actor.get(kind, namespace, name) !== undefined) return;
    try {
      await this.#actor.create(kind, namespace, fields);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
}
