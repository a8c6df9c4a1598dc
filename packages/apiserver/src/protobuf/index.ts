export { readProtobuf } from "./read.ts";
export type { Reading } from "./read.ts";
export { writeSwagger } from "./swagger.ts";
export { ProtobufError } from "./wire.ts";
