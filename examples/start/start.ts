import { manager, operandOperators } from "@levelset/operator";
import simpleOperator from "../01-simple/simple.ts";

/** What `npm start` runs beside the fleet: an operator of one object, and those that keep sets of manifests. */
export default manager([simpleOperator, ...operandOperators()]);
