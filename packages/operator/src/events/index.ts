export { EventRecorder } from "./event-recorder.ts";
export type { EventRecorderOptions } from "./event-recorder.ts";
