import { dns, hypershift, pullSecret } from "./clusters.ts";
import { poolHypershift, poolValidation } from "./node-pools.ts";

/** All adapters that the shipped kinds need, but for the validation of clusters: that one is configured, in the directory `validation`. */
export default [dns, pullSecret, hypershift, poolValidation, poolHypershift];
