import type { RawClient } from "../raw-clients.ts";

/** Observed state that should be equal on both servers. */
export type Observe = (client: RawClient, namespace: string) => Promise<unknown>;
/** An action on a server. */
export type ScenarioStep = (client: RawClient, namespace: string) => Promise<void>;

/** Actions on both servers, with the state observed after each. */
export interface ControllerScenario {
  readonly name: string;
  readonly observe: Observe;
  readonly steps: readonly ScenarioStep[];
  /** Triggers the controllers of the real cluster. Called until its state equals that of the embedded server. */
  readonly touch?: ScenarioStep;
}

/** Base path of workloads. */
export const APPS = "/apis/apps/v1/namespaces";

/** Returns a pod template with the label `app`. */
export const template = (app: string, image = "web:1", extra: object = {}): unknown => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: "main", image }], ...extra },
});
