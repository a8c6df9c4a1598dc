export { faultyFetch, isWrite } from "./faulty-fetch.ts";
export type { Fault, FaultyFetch, RequestFilter, SeenRequest } from "./faulty-fetch.ts";
export { memoryLogger } from "./memory-logger.ts";
export { seededRandom } from "./seeded-random.ts";
export { atRest, VirtualClock } from "./virtual-clock.ts";
