/** For tests: a virtual clock, seeded chance, faults at the seam, samples of any schema. Begin with `faulty-fetch.ts`. */

export { isWatch, isWrite } from "./fault.ts";
export type { EventFault, EventFilter, Fault, RequestFilter, SeenEvent, SeenRequest } from "./fault.ts";
export { faultyFetch } from "./faulty-fetch.ts";
export type { FaultyFetch } from "./faulty-fetch.ts";
export { memoryLogger } from "./memory-logger.ts";
export { seededRandom } from "./seeded-random.ts";
export { atRest, VirtualClock } from "./virtual-clock.ts";
export { mutateValue } from "./mutate.ts";
export { sampleObject, sampleValue } from "./sample.ts";
export type { SampledObject } from "./sample.ts";
export { checkRoundTrip } from "./round-trip.ts";
export type { RoundTripOptions } from "./round-trip.ts";
