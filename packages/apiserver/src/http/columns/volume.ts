import type { ObjectOf, PersistentVolume, PersistentVolumeClaim } from "@levelset/core";
import { AGE, ageOf, column, NAME, printer, wide } from "./printer.ts";
import type { Printer } from "./printer.ts";
import { quantityText, UNSET } from "./text.ts";

const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
const MODES: readonly (readonly [mode: string, short: string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

export const persistentVolumePrinter: Printer = printer<typeof PersistentVolume>(
  [
    NAME,
    column("Capacity", "How much it holds."),
    column("Access Modes", "Who may mount it, and how."),
    column("Reclaim Policy", "What becomes of it when its claim goes."),
    column("Status", "Whether it is bound to a claim."),
    column("Claim", "The claim it is bound to."),
    column("StorageClass", "The kind of storage it is."),
    column("VolumeAttributesClass", "The attributes it has."),
    column("Reason", "Why it is in its state, in one word."),
    AGE,
    wide("VolumeMode", "Whether it holds files or blocks."),
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
      spec?.volumeAttributesClassName ?? UNSET,
      status?.reason ?? "",
      ageOf(volume, now),
      spec?.volumeMode ?? UNSET,
    ];
  },
);

export const persistentVolumeClaimPrinter: Printer = printer<typeof PersistentVolumeClaim>(
  [
    NAME,
    column("Status", "Whether it has a volume."),
    column("Volume", "The volume it has."),
    column("Capacity", "How much that volume holds."),
    column("Access Modes", "Who may mount it, and how."),
    column("StorageClass", "The kind of storage that is wanted."),
    column("VolumeAttributesClass", "The attributes that are wanted."),
    AGE,
    wide("VolumeMode", "Whether files or blocks are wanted."),
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
      spec?.volumeAttributesClassName ?? UNSET,
      ageOf(claim, now),
      spec?.volumeMode ?? UNSET,
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
