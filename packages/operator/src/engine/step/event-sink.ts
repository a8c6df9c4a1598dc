import type { KubeObject } from "@levelset/core";

/** A Kubernetes Event to record about an object. */
export interface EventInput {
  /** `Warning` if a person should take a look. Default: Normal. */
  readonly type?: "Normal" | "Warning";
  /** A stable PascalCase word per cause: `CertificateRenewed`. */
  readonly reason: string;
  readonly message: string;
}

/** Records Kubernetes Events. `record` never throws and never blocks; the Event is sent in the background. */
export interface EventSink {
  record(object: KubeObject, notice: EventInput): void;
}
