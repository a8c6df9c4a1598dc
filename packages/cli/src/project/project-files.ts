import type { ProjectFile } from "./template.ts";
import type { ProjectNames } from "./project-names.ts";

/** Names in the template. One pattern for all, so that inserted names are not replaced again. */
const PLACEHOLDER = /my-operator|example\.com|Widget|widget/gu;

/** Returns the files of a new project: those of the template with its names replaced. */
export function projectFiles(template: readonly ProjectFile[], names: ProjectNames): readonly ProjectFile[] {
  const values: Readonly<Record<string, string>> = {
    "my-operator": names.name,
    "example.com": names.group,
    Widget: names.kind,
    widget: names.kind.toLowerCase(),
  };
  const replace = (text: string): string => text.replaceAll(PLACEHOLDER, (placeholder) => values[placeholder] ?? "");
  return template.map(({ path, text }) => ({ path: replace(path), text: replace(text) }));
}
