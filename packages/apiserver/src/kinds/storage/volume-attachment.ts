import { deepEqual } from "@levelset/core/internal";
import { VolumeAttachment } from "@levelset/core";
import type { ObjectOf, VolumeError } from "@levelset/core";
import type { ApiObject } from "../../store/index.ts";
import {
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
  AGE_COLUMN,
  tableColumn,
  NAME_COLUMN,
  printer,
  booleanColumn,
  builtinResource,
} from "../../resource/index.ts";
import type { KindStrategy, Printer, Resource } from "../../resource/index.ts";
import { dnsSubdomainErrors } from "../field-checks.ts";
import type { FieldErrors } from "../field-checks.ts";
import { unvalidatedField } from "../unvalidated.ts";
import type { Unvalidated } from "../unvalidated.ts";
import { driverNameErrors } from "./driver-name.ts";

type Spec = Unvalidated<ObjectOf<typeof VolumeAttachment>["spec"]>;

type Status = Unvalidated<NonNullable<ObjectOf<typeof VolumeAttachment>["status"]>>;

const METADATA_MAX_BYTES = 256 * 1024;

const MESSAGE_MAX_BYTES = 1024;

/** Strategy of VolumeAttachments: the spec is immutable. */
const volumeAttachmentStrategy: KindStrategy = {
  returnDeletedObject: true,
  initialStatus: { attached: false },
  *validate(object, old) {
    yield* specErrors(unvalidatedField<Spec>(object, "spec") ?? {});
    yield* statusErrors(object);
    if (old !== undefined && !deepEqual(object["spec"], old["spec"])) {
      yield invalidField("spec", object["spec"], "field is immutable");
    }
  },
  validateStatusUpdate: statusErrors,
};

function* specErrors({ attacher, source = {}, nodeName = "" }: Spec): FieldErrors {
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

function* statusErrors(object: ApiObject): FieldErrors {
  const { attachmentMetadata = {}, attachError, detachError } = unvalidatedField<Status>(object, "status") ?? {};
  const bytes = Object.entries(attachmentMetadata).reduce(
    (sum, [key, value = ""]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  if (bytes > METADATA_MAX_BYTES) yield tooLongField("status.attachmentMetadata", METADATA_MAX_BYTES);
  yield* errorErrors("status.attachError", attachError);
  yield* errorErrors("status.detachError", detachError);
}

function* errorErrors(path: string, error: Unvalidated<VolumeError> | undefined): FieldErrors {
  const { message = "", errorCode } = error ?? {};
  if (Buffer.byteLength(message) > MESSAGE_MAX_BYTES) yield tooLongField(`${path}.message`, METADATA_MAX_BYTES);
  if (errorCode !== undefined && errorCode < 0) {
    yield invalidField(`${path}.errorCode`, errorCode, `must be between 0 and ${2 ** 31 - 1}, inclusive`);
  }
}

const volumeAttachmentPrinter: Printer = printer<typeof VolumeAttachment>(
  [
    NAME_COLUMN,
    tableColumn("Attacher", "The attaching driver.", { format: "name" }),
    tableColumn("PV", "The attached volume."),
    tableColumn("Node", "The node of the attachment."),
    booleanColumn("Attached", "Whether the volume is attached."),
    AGE_COLUMN,
  ],
  (attachment) => [
    attachment.spec.attacher,
    attachment.spec.source.persistentVolumeName ?? "",
    attachment.spec.nodeName,
    attachment.status?.attached ?? false,
  ],
);

/** VolumeAttachments. */
export const volumeAttachmentResource: Resource = builtinResource({
  kind: VolumeAttachment,
  allowUnconditionalUpdate: false,
  strategy: volumeAttachmentStrategy,
  printer: volumeAttachmentPrinter,
});
