import type { Asked } from "../pair.ts";

/** A look at a server that should be the same for both. */
export type Look = (asked: Asked, namespace: string) => Promise<unknown>;
/** Something done to a server. */
export type Act = (asked: Asked, namespace: string) => Promise<void>;

/** What is done to both servers, and what is looked at after each step. */
export interface Scene {
  readonly name: string;
  readonly look: Look;
  readonly acts: readonly Act[];
  /** Makes the controllers of the real cluster look again. Called as long as it has not come to what the embedded server has. */
  readonly touch?: Act;
}

/** Where workloads are. */
export const APPS = "/apis/apps/v1/namespaces";

/** A template of pods with the label `app`. */
export const template = (app: string, image = "web:1", extra: object = {}): unknown => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: "main", image }], ...extra },
});
