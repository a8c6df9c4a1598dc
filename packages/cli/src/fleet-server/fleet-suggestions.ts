import { isAssigned } from "./adapter-assignment.ts";
import type { Shell } from "../terminal/index.ts";
import type { DevFleet } from "./dev-fleet.ts";

type FleetSummary = Pick<DevFleet, "config" | "assignments" | "isSimulated" | "url">;

/** Describes which adapters run and which are simulated. */
export function adaptersText({ config, assignments, isSimulated }: Omit<FleetSummary, "url">): string {
  const types = [...new Set(assignments.map(({ resourceType }) => resourceType))];
  const running = types.map((type) => {
    const names = assignments.filter(({ resourceType }) => resourceType === type).map(({ adapter }) => adapter);
    return `${names.join(", ")} of ${type}`;
  });
  const isComplete = config.kinds.all.every(({ plural, requiredAdapters }) => {
    return requiredAdapters.every((adapter) => isAssigned(assignments, plural, adapter));
  });
  if (isComplete) return running.join("; ");
  const others = isSimulated ? "simulated" : "none (resources wait for reports)";
  return running.length === 0 ? others : `${running.join("; ")}; others ${others}`;
}

/** Returns suggested commands, one per line. They pass `--fleet` if LEVELSET_FLEET_URL names another fleet. */
export function fleetSuggestions(
  { config, assignments, isSimulated, url }: FleetSummary,
  env: Shell["env"],
): readonly string[] {
  const { all } = config.kinds;
  const kind = all.find(({ requiredAdapters }) => requiredAdapters.length > 0) ?? all[0];
  if (kind === undefined) return [];
  const name = kind.kind.toLowerCase();
  const missing = kind.requiredAdapters.find((adapter) => !isAssigned(assignments, kind.plural, adapter));
  // Simulated adapters fail on spec.fail; simulated workloads cannot pull an image with this tag.
  const invalid = missing === undefined ? "version=does-not-exist" : `fail=${missing}`;
  const isHandled = missing === undefined || isSimulated;
  const { LEVELSET_FLEET_URL: other = "" } = env;
  const fleet = other === "" || other === url ? "" : ` --fleet ${url}`;
  return [
    `  create   npx levelset create ${name} eu-1 --set region=eu${fleet}`,
    `  watch    npx levelset get ${kind.plural} -w${fleet}`,
    ...(isHandled
      ? [
          `  change   npx levelset edit ${name} eu-1 --set region=us${fleet}`,
          `  break    npx levelset edit ${name} eu-1 --set ${invalid}${fleet}`,
        ]
      : [`  report   npx levelset fleet report ${name}/eu-1 ${missing}${fleet}`]),
    `  explain  npx levelset why ${name}/eu-1${fleet}`,
    `  delete   npx levelset delete ${name} eu-1${fleet}`,
  ];
}
