import { dns, hypershift, pullSecret } from "./clusters.ts";
import { poolHypershift, poolValidation } from "./node-pools.ts";

/**
 * The adapters that the default kinds require, except the validation of clusters, which is written in YAML in the
 * directory `validation`.
 */
export default [dns, pullSecret, hypershift, poolValidation, poolHypershift];
