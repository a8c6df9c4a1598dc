import type { ObjectOf, PersistentVolume, PersistentVolumeClaim } from "@levelset/core";

const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

const MODES: readonly (readonly [mode: string, short: string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

type Volume = ObjectOf<typeof PersistentVolume> | ObjectOf<typeof PersistentVolumeClaim>;

export function phaseText({ metadata, status }: Volume): string {
  return metadata.deletionTimestamp === undefined ? (status?.phase ?? "") : "Terminating";
}

export function classText({ metadata, spec }: Volume): string {
  return metadata.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName ?? "";
}

export function modesText(modes: readonly string[] | undefined): string {
  return MODES.filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(",");
}
