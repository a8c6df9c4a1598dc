/** What the server tells of its kinds as OpenAPI, in both versions. Begin with `v3.ts`. */

export { writeSwagger } from "../../protobuf/index.ts";
export { openapiV2 } from "./v2.ts";
export { openapiV3 } from "./v3.ts";
