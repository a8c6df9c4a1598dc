import { resolve } from "node:path";
import { storyHtml, verdictText } from "@levelset/simulation/internal";
import { EXIT_CODES } from "../process/index.ts";
import { jsonText } from "../terminal/index.ts";
import type { Shell } from "../terminal/index.ts";
import { commandLine } from "./command-line.ts";
import { replayFile, replayReport } from "./replay-file.ts";
import type { ReplayedFile } from "./replay-file.ts";
import type { SimulateSettings } from "./simulate-file.ts";
import { writeCheckedTest, writePage } from "./simulate-command.ts";
import type { OutputSettings } from "./simulate-command.ts";
import { printable } from "./simulation-text.ts";
import { readStory } from "./story-files.ts";
import { checkTestTarget, writeTest } from "./test-file.ts";

/** Replays a story file and writes the results. */
export async function runReplay(
  path: string,
  settings: SimulateSettings,
  to: OutputSettings,
  shell: Shell,
): Promise<void> {
  const { cwd } = shell;
  const { file } = settings;
  const story = await readStory(path, cwd);
  if (to.writeTest !== undefined) await checkTestTarget({ path: to.writeTest, force: to.force, cwd });
  if (resolve(cwd, story.file) !== resolve(cwd, file)) {
    shell.stderr(`levelset: warning: ${path} was recorded for ${printable(story.file)}\n`);
  }
  const result = await replayFile(story, settings, shell);
  const { inputs, ...replayed } = result;
  shell.stdout(to.output === "json" ? jsonText(replayed) : replayReport(story, result));
  const html = storyHtml({
    file,
    summary: firstLine(verdictText(story.violation, result.violation)),
    stories: pageStories(result, story.case, commandLine(settings, ["--replay", path])),
    coverage: [],
    warnings: [],
  });
  if (to.html !== undefined) await writePage(to.html, html, shell);
  if (result.violation !== undefined) shell.exitCode(EXIT_CODES.violated);
  if (to.writeTest === undefined) return;
  if (result.violation !== undefined) return writeCheckedTest(story, to.writeTest, settings, inputs, to.force, shell);
  await writeTest({ ...story, file }, inputs, { path: to.writeTest, force: to.force, cwd });
  shell.stderr(`test: ${to.writeTest}\n`);
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}

function pageStories(
  { violation, events, why }: ReplayedFile,
  { seed, history }: Awaited<ReturnType<typeof readStory>>["case"],
  command: string,
): Parameters<typeof storyHtml>[0]["stories"] {
  if (violation === undefined) return [];
  const { operations } = history;
  return [{ seed, violation, events, operations, ...(why === undefined ? {} : { why }), command }];
}
