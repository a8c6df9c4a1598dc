export { findAssets } from "./assets.ts";
export type { AbsentAssets, Assets, FindOptions, FoundAssets } from "./assets.ts";
export { buildAssets } from "./build.ts";
export type { BuildOptions } from "./build.ts";
export { startCluster } from "./cluster.ts";
export type { ClusterOptions, RealCluster } from "./cluster.ts";
export { EnvtestError } from "./errors.ts";
export { KUBERNETES_VERSION } from "./location.ts";
export type { Environment, Machine } from "./location.ts";
