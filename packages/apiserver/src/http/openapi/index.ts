/** OpenAPI documents of the served kinds, as OpenAPI 3.0 and Swagger 2.0. Begin with `v3.ts`. */

export { encodeSwagger } from "../../protobuf/index.ts";
export { openapiV2 } from "./v2.ts";
export { openapiV3 } from "./v3.ts";
