/** Configuration of a task in YAML. Begin with `task.ts`. */

export type {
  AdapterTask,
  ApiCall,
  Backoff,
  Capture,
  ComputedValue,
  DiscoverySpec,
  FieldCondition,
  FieldOperator,
  TaskFieldPath,
  HttpResource,
  LogTemplate,
  ManifestTemplate,
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
export { parseFieldPath } from "./field-path.ts";
export { TaskConfigError, readTask } from "./read-task.ts";
export type { TaskSource } from "./read-task.ts";
export { taskFilesIn } from "./task-files.ts";
export type { TaskFiles } from "./task-files.ts";
export { envReferences } from "./env-references.ts";
