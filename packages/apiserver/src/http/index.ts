/** The API as a function from a request to an answer. Begin with `api.ts`. */

export { createApi } from "./api.ts";
export type { ApiOptions } from "./api.ts";
export { Answer, failureAnswer, isPieces } from "./answer.ts";
export type { AnswerBody } from "./answer.ts";
export { asFetch } from "./exchange.ts";
export type { ApiRequest, Handle } from "./exchange.ts";
export { Metrics } from "./metrics.ts";
