import { describeExamples } from "./describe-examples.ts";

describeExamples(["simple"]);
