import type { ObjectOf, PersistentVolume, PersistentVolumeClaim } from "@levelset/core";
import { AGE_COLUMN, ageCell, tableColumn, NAME_COLUMN, printer, wideColumn } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { quantityText, UNSET_CELL } from "./cell-text.ts";

const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
const MODES: readonly (readonly [mode: string, short: string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

export const persistentVolumePrinter: Printer = printer<typeof PersistentVolume>(
  [
    NAME_COLUMN,
    tableColumn("Capacity", "Storage capacity."),
    tableColumn("Access Modes", "Who may mount it, and how."),
    tableColumn("Reclaim Policy", "What happens to the volume after its claim is deleted."),
    tableColumn("Status", "Phase of the volume."),
    tableColumn("Claim", "The bound claim."),
    tableColumn("StorageClass", "Storage class."),
    tableColumn("VolumeAttributesClass", "Volume attributes class."),
    tableColumn("Reason", "Reason of the phase."),
    AGE_COLUMN,
    wideColumn("VolumeMode", "Filesystem or Block."),
  ],
  (volume, now) => {
    const { spec, status, metadata } = volume;
    const claim = spec?.claimRef;
    return [
      metadata.name,
      quantityText(spec?.capacity?.["storage"]),
      modesText(spec?.accessModes),
      spec?.persistentVolumeReclaimPolicy ?? "",
      phaseText(volume),
      claim === undefined ? "" : `${claim.namespace ?? ""}/${claim.name ?? ""}`,
      classText(volume),
      spec?.volumeAttributesClassName ?? UNSET_CELL,
      status?.reason ?? "",
      ageCell(volume, now),
      spec?.volumeMode ?? UNSET_CELL,
    ];
  },
);

export const persistentVolumeClaimPrinter: Printer = printer<typeof PersistentVolumeClaim>(
  [
    NAME_COLUMN,
    tableColumn("Status", "Phase of the claim."),
    tableColumn("Volume", "The bound volume."),
    tableColumn("Capacity", "Capacity of the bound volume."),
    tableColumn("Access Modes", "Who may mount it, and how."),
    tableColumn("StorageClass", "Requested storage class."),
    tableColumn("VolumeAttributesClass", "Requested volume attributes class."),
    AGE_COLUMN,
    wideColumn("VolumeMode", "Requested volume mode: Filesystem or Block."),
  ],
  (claim, now) => {
    const { spec, status, metadata } = claim;
    const isBound = (spec?.volumeName ?? "") !== "";
    return [
      metadata.name,
      phaseText(claim),
      spec?.volumeName ?? "",
      isBound ? quantityText(status?.capacity?.["storage"]) : "",
      isBound ? modesText(status?.accessModes) : "",
      classText(claim),
      spec?.volumeAttributesClassName ?? UNSET_CELL,
      ageCell(claim, now),
      spec?.volumeMode ?? UNSET_CELL,
    ];
  },
);

type Volume = ObjectOf<typeof PersistentVolume> | ObjectOf<typeof PersistentVolumeClaim>;

function phaseText({ metadata, status }: Volume): string {
  return metadata.deletionTimestamp === undefined ? (status?.phase ?? "") : "Terminating";
}

function classText({ metadata, spec }: Volume): string {
  return metadata.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName ?? "";
}

function modesText(modes: readonly string[] | undefined): string {
  return MODES.filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(",");
}
