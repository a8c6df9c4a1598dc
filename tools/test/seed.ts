import fc from "fast-check";

/** Fixed seed of property tests, so that runs are reproducible and equal in CI and locally. */
const SEED = 20_260_101;

// FC_SEED selects another seed: a number, or `random`.
const desired = process.env["FC_SEED"];
if (desired !== "random")
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: desired === undefined ? SEED : Number(desired) });
