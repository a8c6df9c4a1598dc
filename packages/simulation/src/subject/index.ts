/** The program under simulation. Begin with `program.ts`. */

export { openProgram, startOperators } from "./program.ts";
export type { ExternalWorld, Operators, Program, SimulatedProgram } from "./program.ts";
export { OTHER_NAMESPACE, prepareSubject } from "./subject.ts";
export type { Subject, SubjectOptions } from "./subject.ts";
