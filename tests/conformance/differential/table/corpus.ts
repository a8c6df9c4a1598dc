import { NETWORK } from "./network.ts";
import { POD_CASES } from "./pods.ts";
import { POLICY } from "./policy.ts";
import { OTHER_KIND_CASES } from "./other-kinds.ts";
import type { TableCase } from "./table-case.ts";
import { STORAGE } from "./storage.ts";
import { WORKLOADS } from "./workloads.ts";

/** All table cases. */
export const CORPUS: readonly TableCase[] = [
  ...POD_CASES,
  ...WORKLOADS,
  ...NETWORK,
  ...STORAGE,
  ...POLICY,
  ...OTHER_KIND_CASES,
];
