import { Event } from "@levelset/core";
import { formatTimestamp, truncateText, toError } from "@levelset/core/internal";
import type { Clock, KubeObject, Logger } from "@levelset/core";
import type { ControllerClient } from "./controller-client.ts";

/** Content of an event. */
export interface EventDetails {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** Records events about objects. A repeated event increments the count of the existing one. */
export class ControllerEventRecorder {
  readonly #options: { readonly actor: ControllerClient; readonly clock: Clock; readonly logger: Logger };

  constructor(options: { readonly actor: ControllerClient; readonly clock: Clock; readonly logger: Logger }) {
    this.#options = options;
  }

  /** Records an event. Write errors are logged and not rethrown. */
  async record(component: string, about: KubeObject, report: EventDetails): Promise<void> {
    try {
      await this.#write(component, about, report);
    } catch (error) {
      this.#options.logger.debug("event not written", { reason: report.reason, err: toError(error) });
    }
  }

  async #write(component: string, about: KubeObject, report: EventDetails): Promise<void> {
    const { actor, clock } = this.#options;
    const namespace = about.metadata.namespace ?? "default";
    const now = formatTimestamp(clock.now());
    const name = `${truncateText(about.metadata.name, 200)}.${fingerprint([about.metadata.uid, component, report])}`;
    const known = actor.get(Event, namespace, name);
    if (known !== undefined) {
      await actor.update(Event, known, (old) => ({ ...old, count: (old.count ?? 1) + 1, lastTimestamp: now }));
      return;
    }
    await actor.create(Event, namespace, {
      metadata: { name, namespace },
      involvedObject: {
        apiVersion: about.apiVersion,
        kind: about.kind,
        name: about.metadata.name,
        uid: about.metadata.uid,
        resourceVersion: about.metadata.resourceVersion,
        ...(about.metadata.namespace === undefined ? {} : { namespace }),
      },
      ...report,
      source: { component },
      reportingComponent: component,
      reportingInstance: "",
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    });
  }
}

function fingerprint(parts: readonly unknown[]): string {
  return fnv1a64(JSON.stringify(parts)).toString(16).padStart(16, "0");
}

/** Returns the 64-bit FNV-1a hash of the UTF-16 code units of a text. */
export function fnv1a64(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n);
  }
  return hash;
}
