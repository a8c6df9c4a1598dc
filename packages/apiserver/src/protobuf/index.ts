export { readProtobuf } from "./read.ts";
export type { Reading } from "./read.ts";
export { ProtobufError } from "./wire.ts";
