export { createApi, createHandler } from "./api.ts";
export type { ApiOptions } from "./api.ts";
export { Answer, failureAnswer, isPieces } from "./answer.ts";
export type { AnswerBody } from "./answer.ts";
export { BODY_MAX_BYTES } from "./body.ts";
export { asFetch } from "./exchange.ts";
export type { ApiRequest, Handle } from "./exchange.ts";
export { Metrics } from "./metrics.ts";
