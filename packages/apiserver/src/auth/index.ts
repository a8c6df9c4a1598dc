/** Users, service account tokens and authorization. Begin with `authorizer.ts`. */

export { ALLOW_ALL } from "./authorizer.ts";
export type { AccessRequest, Authorizer } from "./authorizer.ts";
export { API_AUDIENCE, ServiceAccountTokens } from "./service-account-token.ts";
export type { BoundObject, ServiceAccountTokenSpec, TokenAuthenticator } from "./service-account-token.ts";
export { IN_PROCESS_ADMIN } from "./user.ts";
export type { RequestUser } from "./user.ts";
