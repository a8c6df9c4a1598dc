/** Records Kubernetes Events about objects. Begin with `event-recorder.ts`. */

export { EventRecorder } from "./event-recorder.ts";
export type { EventRecorderOptions } from "./event-recorder.ts";
