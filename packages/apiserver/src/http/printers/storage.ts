import type { CSIDriver, StorageClass, VolumeAttachment } from "@levelset/core";
import { nameWithDefaultMark } from "./networking.ts";
import { AGE_COLUMN, ageCell, tableColumn, NAME_COLUMN, printer } from "./printer.ts";
import type { TableColumnDefinition, Printer } from "./printer.ts";
import { NONE_CELL, UNSET_CELL } from "./cell-text.ts";

const yes = (name: string, description: string): TableColumnDefinition =>
  tableColumn(name, description, { type: "boolean" });

export const storageClassPrinter: Printer = printer<typeof StorageClass>(
  [
    NAME_COLUMN,
    tableColumn("Provisioner", "Provisioner of the volumes."),
    tableColumn("ReclaimPolicy", "What happens to a volume after its claim is deleted."),
    tableColumn("VolumeBindingMode", "When volumes are bound and provisioned."),
    tableColumn("AllowVolumeExpansion", "Whether volumes can be expanded."),
    AGE_COLUMN,
  ],
  (storage, now) => [
    nameWithDefaultMark(storage.metadata, [
      "storageclass.kubernetes.io/is-default-class",
      "storageclass.beta.kubernetes.io/is-default-class",
    ]),
    storage.provisioner,
    storage.reclaimPolicy ?? "Delete",
    storage.volumeBindingMode ?? "Immediate",
    storage.allowVolumeExpansion ?? false,
    ageCell(storage, now),
  ],
);

export const csiDriverPrinter: Printer = printer<typeof CSIDriver>(
  [
    NAME_COLUMN,
    yes("AttachRequired", "Whether volumes are attached before mounting."),
    yes("PodInfoOnMount", "Whether the driver receives pod information."),
    yes("StorageCapacity", "Whether scheduling considers storage capacity."),
    tableColumn("TokenRequests", "Audiences of the tokens for the driver."),
    yes("RequiresRepublish", "Whether mounts are republished periodically."),
    tableColumn("Modes", "Supported volume lifecycle modes."),
    AGE_COLUMN,
  ],
  (driver, now) => {
    const { spec } = driver;
    const modes = (spec.volumeLifecycleModes ?? []).join(",");
    return [
      driver.metadata.name,
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
      spec.tokenRequests === undefined ? UNSET_CELL : spec.tokenRequests.map(({ audience }) => audience).join(","),
      spec.requiresRepublish ?? false,
      modes === "" ? NONE_CELL : modes,
      ageCell(driver, now),
    ];
  },
);

export const volumeAttachmentPrinter: Printer = printer<typeof VolumeAttachment>(
  [
    NAME_COLUMN,
    tableColumn("Attacher", "The attaching driver.", { format: "name" }),
    tableColumn("PV", "The attached volume."),
    tableColumn("Node", "The node of the attachment."),
    yes("Attached", "Whether the volume is attached."),
    AGE_COLUMN,
  ],
  (attachment, now) => [
    attachment.metadata.name,
    attachment.spec.attacher,
    attachment.spec.source.persistentVolumeName ?? "",
    attachment.spec.nodeName,
    attachment.status?.attached ?? false,
    ageCell(attachment, now),
  ],
);
