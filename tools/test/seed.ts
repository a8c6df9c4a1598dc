import fc from "fast-check";

/** Property tests draw the same cases each time, so that a run can be repeated and CI says the same as a laptop. */
const SEED = 20_260_101;

// FC_SEED explores others: a number, or `random`.
const wanted = process.env["FC_SEED"];
if (wanted !== "random")
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: wanted === undefined ? SEED : Number(wanted) });
