export { writeSwagger } from "../../protobuf/index.ts";
export { openapiV2 } from "./v2.ts";
export { openapiV3 } from "./v3.ts";
