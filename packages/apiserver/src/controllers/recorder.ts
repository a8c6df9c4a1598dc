import { Event, timestamp, truncateText } from "@levelset/core";
import type { Clock, KubeObject, Logger } from "@levelset/core";
import { toError } from "@levelset/core";
import type { Actor } from "./actor.ts";

/** What an event says. */
export interface Report {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** Writes events about objects: one object for each report, counted up when it comes again. */
export class Recorder {
  readonly #options: { readonly actor: Actor; readonly clock: Clock; readonly logger: Logger };

  constructor(options: { readonly actor: Actor; readonly clock: Clock; readonly logger: Logger }) {
    this.#options = options;
  }

  /** Notes something. An event that cannot be written is no reason to fail. */
  async record(component: string, about: KubeObject, report: Report): Promise<void> {
    try {
      await this.#write(component, about, report);
    } catch (error) {
      this.#options.logger.debug("event not written", { reason: report.reason, error: toError(error) });
    }
  }

  async #write(component: string, about: KubeObject, report: Report): Promise<void> {
    const { actor, clock } = this.#options;
    const namespace = about.metadata.namespace ?? "default";
    const now = timestamp(clock.now());
    const name = `${truncateText(about.metadata.name, 200)}.${fingerprint([about.metadata.uid, component, report])}`;
    const known = actor.get(Event, namespace, name);
    if (known !== undefined) {
      await actor.change(Event, known, (old) => ({ ...old, count: (old.count ?? 1) + 1, lastTimestamp: now }));
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
  return hashText(JSON.stringify(parts)).toString(16).padStart(16, "0");
}

/** FNV-1a over the UTF-16 units of a text, in 64 bits. */
export function hashText(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n);
  }
  return hash;
}
