import type { CSIDriver, StorageClass, VolumeAttachment } from "@levelset/core";
import { defaultName } from "./networking.ts";
import { AGE, ageOf, column, NAME, printer } from "./printer.ts";
import type { ColumnDefinition, Printer } from "./printer.ts";
import { NONE, UNSET } from "./text.ts";

const yes = (name: string, description: string): ColumnDefinition => column(name, description, { type: "boolean" });

export const storageClassPrinter: Printer = printer<typeof StorageClass>(
  [
    NAME,
    column("Provisioner", "Who makes volumes."),
    column("ReclaimPolicy", "What becomes of a volume when its claim goes."),
    column("VolumeBindingMode", "When volumes are made."),
    column("AllowVolumeExpansion", "Whether volumes may grow."),
    AGE,
  ],
  (storage, now) => [
    defaultName(storage.metadata, [
      "storageclass.kubernetes.io/is-default-class",
      "storageclass.beta.kubernetes.io/is-default-class",
    ]),
    storage.provisioner,
    storage.reclaimPolicy ?? "Delete",
    storage.volumeBindingMode ?? "Immediate",
    storage.allowVolumeExpansion ?? false,
    ageOf(storage, now),
  ],
);

export const csiDriverPrinter: Printer = printer<typeof CSIDriver>(
  [
    NAME,
    yes("AttachRequired", "Whether volumes are attached before they are mounted."),
    yes("PodInfoOnMount", "Whether the driver is told about the pod."),
    yes("StorageCapacity", "Whether scheduling looks at the space that is left."),
    column("TokenRequests", "Who is to accept the tokens it gets."),
    yes("RequiresRepublish", "Whether it is called again and again for the same mount."),
    column("Modes", "What volumes it makes."),
    AGE,
  ],
  (driver, now) => {
    const { spec } = driver;
    const modes = (spec.volumeLifecycleModes ?? []).join(",");
    return [
      driver.metadata.name,
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
      spec.tokenRequests === undefined ? UNSET : spec.tokenRequests.map(({ audience }) => audience).join(","),
      spec.requiresRepublish ?? false,
      modes === "" ? NONE : modes,
      ageOf(driver, now),
    ];
  },
);

export const volumeAttachmentPrinter: Printer = printer<typeof VolumeAttachment>(
  [
    NAME,
    column("Attacher", "The driver that does it.", { format: "name" }),
    column("PV", "The volume."),
    column("Node", "The node."),
    yes("Attached", "Whether it is done."),
    AGE,
  ],
  (attachment, now) => [
    attachment.metadata.name,
    attachment.spec.attacher,
    attachment.spec.source.persistentVolumeName ?? "",
    attachment.spec.nodeName,
    attachment.status?.attached ?? false,
    ageOf(attachment, now),
  ],
);
