/** What people are told of their objects, as Kubernetes Events. Begin with `event-recorder.ts`. */

export { EventRecorder } from "./event-recorder.ts";
export type { EventRecorderOptions } from "./event-recorder.ts";
