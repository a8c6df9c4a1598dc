import { deepEqual } from "@levelset/core";
import type { ObjectOf, VolumeAttachment, VolumeError } from "@levelset/core";
import type { ApiObject } from "../../../store/index.ts";
import { forbiddenField, invalidField, requiredField, tooLongField } from "../../field.ts";
import type { KindRules } from "../../rules.ts";
import { dnsSubdomainErrors } from "../check.ts";
import type { Errors } from "../check.ts";
import { fieldOf } from "../loose.ts";
import type { Loose } from "../loose.ts";
import { driverNameErrors } from "./driver-name.ts";

type Spec = Loose<ObjectOf<typeof VolumeAttachment>["spec"]>;
type Status = Loose<NonNullable<ObjectOf<typeof VolumeAttachment>["status"]>>;

const METADATA_MAX_BYTES = 256 * 1024;
const MESSAGE_MAX_BYTES = 1024;

/** VolumeAttachments: one volume on one node, set once. */
export const volumeAttachmentRules: KindRules = {
  emptyStatus: { attached: false },
  *validate(object, old) {
    yield* specErrors(fieldOf<Spec>(object, "spec") ?? {});
    yield* statusErrors(object);
    if (old !== undefined && !deepEqual(object["spec"], old["spec"])) {
      yield invalidField("spec", object["spec"], "field is immutable");
    }
  },
  validateStatus: statusErrors,
};

function* specErrors({ attacher, source = {}, nodeName = "" }: Spec): Errors {
  yield* driverNameErrors("spec.attacher", attacher);
  const { inlineVolumeSpec, persistentVolumeName: name } = source;
  const why = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  if (inlineVolumeSpec === undefined && name === undefined) yield requiredField("spec.source", why);
  else if (inlineVolumeSpec !== undefined && name !== undefined) yield forbiddenField("spec.source", why);
  else if (name === "") {
    yield requiredField("spec.source.persistentVolumeName", "must specify non empty persistentVolumeName");
  }
  yield* dnsSubdomainErrors("spec.nodeName", nodeName);
  if (name !== undefined) yield* dnsSubdomainErrors("spec.source.persistentVolumeName", name);
}

function* statusErrors(object: ApiObject): Errors {
  const { attachmentMetadata = {}, attachError, detachError } = fieldOf<Status>(object, "status") ?? {};
  const bytes = Object.entries(attachmentMetadata).reduce(
    (sum, [key, value = ""]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  if (bytes > METADATA_MAX_BYTES) yield tooLongField("status.attachmentMetadata", METADATA_MAX_BYTES);
  yield* errorErrors("status.attachError", attachError);
  yield* errorErrors("status.detachError", detachError);
}

function* errorErrors(path: string, error: Loose<VolumeError> | undefined): Errors {
  const { message = "", errorCode } = error ?? {};
  if (Buffer.byteLength(message) > MESSAGE_MAX_BYTES) yield tooLongField(`${path}.message`, METADATA_MAX_BYTES);
  if (errorCode !== undefined && errorCode < 0) {
    yield invalidField(`${path}.errorCode`, errorCode, `must be between 0 and ${2 ** 31 - 1}, inclusive`);
  }
}
