import { StatusError } from "@levelset/core";
import type { StatusReason } from "@levelset/core";
import type { StatusCause } from "@levelset/core/internal";
import { describe, expect, test } from "vitest";
import { failReasonOf, isImmutableError } from "./apply-error.ts";

const rejection = (reason: StatusReason, message: string, causes?: readonly StatusCause[]): StatusError =>
  new StatusError(reason, message, causes === undefined ? {} : { details: { causes } });

const invalid = (...causes: readonly StatusCause[]): StatusError =>
  rejection("Invalid", 'Immutable.example.com "immutable" is invalid', causes);

const value = (message: string): StatusCause => ({ reason: "FieldValueInvalid", message });
const forbidden = (message: string): StatusCause => ({ reason: "FieldValueForbidden", message });

const policy = (why: string): StatusError => {
  const message = `ValidatingAdmissionPolicy 'immutable' with binding 'immutable' denied request: ${why}`;
  return rejection("Invalid", `pods "a" is forbidden: ${message}`, [{ message }]);
};

describe("a change of an immutable field", () => {
  test.for([
    invalid(value('Invalid value: {"metadata":{"labels":{"a":"b"}}}: field is immutable')),
    invalid(value('Invalid value: v1.Spec{A:"x: y"}: field is immutable')),
    invalid(value('Invalid value: "a": immutable: create another object')),
    invalid(value('Invalid value: ["10.0.0.2"]: may not change once set')),
    invalid(forbidden("Forbidden: field is immutable when `immutable` is set")),
    invalid(forbidden("Forbidden: may not be changed in an update.")),
    invalid(forbidden("Forbidden: updates to statefulset spec for fields other than 'replicas' are forbidden")),
    invalid(
      forbidden("Forbidden: updates to parameters are forbidden."),
      value('Invalid value: "": field is immutable'),
    ),
    invalid(forbidden("Forbidden: pod updates may not change fields other than `spec.tolerations`\n  core.PodSpec{}")),
    invalid(
      value('Invalid value: {"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"b"}: cannot change roleRef'),
    ),
    invalid(value("Invalid value: null: field cannot be modified once set")),
    invalid(value('Invalid value: "a": field cannot be cleared once set')),
    invalid(value('Invalid value: "a": field cannot be set once created')),
    invalid(value("Invalid value: null: primary clusterIP can not be unset")),
    invalid(value("Invalid value: 20: must be less than or equal to previous value")),
    invalid(value("Invalid value: null: must not update from a positive integer to nil value")),
    invalid(
      value('Invalid value: {"a":"b"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)'),
    ),
    invalid(forbidden("Forbidden: field can not be less than status.capacity")),
    invalid(forbidden("Forbidden: update from non-nil value to nil is forbidden")),
    invalid(forbidden("Forbidden: may not be updated")),
    invalid(forbidden("Forbidden: pod updates may not add or remove containers")),
    invalid(forbidden("Forbidden: existing toleration can not be modified except its tolerationSeconds")),
    invalid(forbidden("Forbidden: only deletion is allowed, but found new scheduling gate 'a'")),
    invalid(value('Invalid value: "object": failed rule: self == oldSelf')),
    rejection(
      "Forbidden",
      'persistentvolumeclaims "a" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    ),
    policy("spec.size is immutable"),
    rejection("Forbidden", 'admission webhook "w.example.com" denied the request: spec.size is immutable'),
  ])("is recognized: %s", (error) => {
    expect(isImmutableError(error)).toBe(true);
  });
});

describe("another error", () => {
  test.for([
    invalid(value('Invalid value: "is immutable": must be a number')),
    invalid(value('Invalid value: {"text":"is immutable"}: selector does not match template labels')),
    invalid(value('Invalid value: "a": field is immutable'), {
      reason: "FieldValueRequired",
      message: "Required value",
    }),
    invalid(value('Invalid value: "cannot change roleRef": must be a number')),
    invalid(value('Invalid value: "object": failed rule: self.max > 3')),
    invalid(forbidden("Forbidden: update is forbidden when the VolumeAttributesClass feature gate is disabled")),
    invalid(forbidden("Forbidden: may not be set for a windows pod")),
    policy("too many replicas"),
    policy("cannot change replicas today"),
    rejection("Forbidden", 'admission webhook "w.example.com" denied the request: pods cannot be modified once set up'),
    rejection("Invalid", 'Immutable.example.com "immutable" is invalid: too many replicas'),
    rejection("Forbidden", 'secrets "immutable" is forbidden: User "immutable" cannot patch resource "secrets"'),
    rejection("Forbidden", 'secrets "a" is forbidden: namespace immutable is being terminated', [
      { reason: "NamespaceTerminating", message: "namespace immutable is being terminated" },
    ]),
    rejection("Forbidden", 'pods "a" is forbidden: exceeded quota: immutable-quota, requested: pods=1'),
    rejection("Conflict", "field is immutable"),
  ])("is not taken for a change of an immutable field: %s", (error) => {
    expect(isImmutableError(error)).toBe(false);
  });
});

test("only a bad request reports that a webhook does not support dry runs", () => {
  const message = 'admission webhook "w.example.com" does not support dry run';
  expect(failReasonOf(rejection("BadRequest", message), { dryRun: true })).toBe("NoDryRun");
  expect(failReasonOf(rejection("Invalid", message), { dryRun: true })).toBe("Invalid");
});
