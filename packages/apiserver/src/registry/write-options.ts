import type { FieldValidation } from "./decode.ts";
import type { VersionedObject } from "./versioned-object.ts";

/** Options of a write. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** Field manager of the write. Default: unknown. */
  readonly fieldManager?: string;
}

/** Result of a write. */
export interface RegistryWriteResult {
  readonly view: VersionedObject;
  readonly warnings: readonly string[];
  /** Whether an update or apply created the object. */
  readonly created?: boolean;
}

/** Result of a deletion: removed, or an object that waits for its finalizers or grace period. */
export interface RegistryDeleteResult {
  readonly kind: "gone" | "waiting";
  readonly view: VersionedObject;
}
