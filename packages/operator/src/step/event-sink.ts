import type { KubeObject } from "@levelset/core";

/** Something worth telling the people who look at an object. */
export interface Notice {
  /** `Warning` for what somebody should look at. Default: Normal. */
  readonly type?: "Normal" | "Warning";
  /** One word in upper camel case, the same for the same thing: `CertificateRenewed`. */
  readonly reason: string;
  readonly message: string;
}

/** Where notices become Kubernetes Events. Telling never fails and never waits. */
export interface EventSink {
  tell(object: KubeObject, notice: Notice): void;
}
