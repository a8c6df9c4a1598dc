/** What a task in YAML may say. Begin with `task.ts`. */

export type {
  AdapterTask,
  ApiCall,
  Backoff,
  Capture,
  ComputedValue,
  Discovery,
  FieldCondition,
  FieldOperator,
  FieldPath,
  HttpResource,
  LogLine,
  Manifest,
  Param,
  ParamSource,
  ParamType,
  Payload,
  PostAction,
  Precondition,
  PreconditionTest,
  PropagationPolicy,
  ResourceTransport,
  TaskResource,
  TemplateTree,
} from "./task.ts";
export { fieldPath } from "./field-path.ts";
export { InvalidTask, readTask } from "./read-task.ts";
export type { TaskSource } from "./read-task.ts";
export { filesBelow } from "./task-files.ts";
export type { TaskFiles } from "./task-files.ts";
export { variablesIn } from "./variables.ts";
