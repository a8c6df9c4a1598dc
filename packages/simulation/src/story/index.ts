/** Stories of failures for people, and as files. Begin with `story-text.ts`. */

export { replayText, verdictText } from "./replay-text.ts";
export { formatStoryFile, parseStoryFile } from "./story-file.ts";
export type { StoryFile } from "./story-file.ts";
export { storyHtml } from "./story-html.ts";
export { columnsOf } from "./story-page.ts";
export type { CoverageRow, PageStory, StoryPage, TimelineColumn, TimelineEvent } from "./story-page.ts";
export { storyTest } from "./story-test.ts";
export type { TestMaterial } from "./story-test.ts";
export { eventsUntil, eventsWithViolation } from "./story-steps.ts";
export { evidenceLines, formatTime, storyText, whyText } from "./story-text.ts";
export type { StoryMaterial } from "./story-text.ts";
