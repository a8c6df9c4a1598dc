import { describeExamples, OPERATOR_EXAMPLES } from "./describe-examples.ts";

describeExamples(OPERATOR_EXAMPLES.filter((name) => name !== "simple"));
