/** Test support: virtual clock, seeded random numbers, fault injection, sample values. Begin with `faulty-fetch.ts`. */

export { FaultPlans, isWatch, isWrite, NthCallFaults } from "./fault.ts";
export type { EventFault, EventFilter, Fault, RequestFilter, RecordedEvent, RecordedRequest } from "./fault.ts";
export { faultyFetch } from "./faulty-fetch.ts";
export type { FaultyFetch, FaultyFetchOptions } from "./faulty-fetch.ts";
export { memoryLogger } from "./memory-logger.ts";
export { seededRandom } from "./seeded-random.ts";
export { untilIdle, VirtualClock } from "./virtual-clock.ts";
export { mutateValue } from "./mutate.ts";
export { sampleObject, sampleValue } from "./sample.ts";
export type { SampleObject } from "./sample.ts";
export { checkRoundTrip } from "./round-trip.ts";
export type { RoundTripOptions } from "./round-trip.ts";
