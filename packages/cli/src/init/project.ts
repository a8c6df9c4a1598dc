import type { ProjectFile } from "../template.ts";
import type { ProjectNames } from "./names.ts";

/** The names in the template, all in one pattern: what is put in is not looked at again. */
const PLACEHOLDER = /my-operator|example\.com|Widget|widget/gu;

/** The files of a new project: those of the template, with the names put in. */
export function projectFiles(template: readonly ProjectFile[], names: ProjectNames): readonly ProjectFile[] {
  const given: Readonly<Record<string, string>> = {
    "my-operator": names.name,
    "example.com": names.group,
    Widget: names.kind,
    widget: names.kind.toLowerCase(),
  };
  const fill = (text: string): string => text.replaceAll(PLACEHOLDER, (placeholder) => given[placeholder] ?? "");
  return template.map(({ path, text }) => ({ path: fill(path), text: fill(text) }));
}
