import { NETWORK } from "./network.ts";
import { PODS_SHOWN } from "./pods.ts";
import { POLICY } from "./policy.ts";
import { REST } from "./rest.ts";
import type { Shown } from "./shown.ts";
import { STORAGE } from "./storage.ts";
import { WORKLOADS } from "./workloads.ts";

/** Everything. */
export const CORPUS: readonly Shown[] = [...PODS_SHOWN, ...WORKLOADS, ...NETWORK, ...STORAGE, ...POLICY, ...REST];
