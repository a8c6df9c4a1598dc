/** Decodes the protobuf encoding of built-in kinds. Begin with `decode-object.ts`. */

export { decodeProtobuf } from "./decode-object.ts";
export type { DecodeObjectResult } from "./decode-object.ts";
export { encodeSwagger } from "./swagger.ts";
export { ProtobufError } from "./wire.ts";
