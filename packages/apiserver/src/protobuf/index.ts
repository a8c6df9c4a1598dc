/** The protobuf form of built-in kinds, as far as clients speak it. Begin with `read.ts`. */

export { readProtobuf } from "./read.ts";
export type { Reading } from "./read.ts";
export { writeSwagger } from "./swagger.ts";
export { ProtobufError } from "./wire.ts";
