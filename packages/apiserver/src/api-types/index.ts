/** Facts about the API types of Kubernetes: fields, protobuf numbers and OpenAPI names. Begin with `api-types.ts`. */

export { ApiTypes, kindTypeName } from "./api-types.ts";
export type { ApiField, ApiFieldMark, ApiTypesData } from "./api-types.ts";
export { API_TYPES } from "./served-types.ts";
export { zeroValueOf } from "./zero-value.ts";
