import { realClock } from "@levelset/core";
import { program } from "levelset";

/** Where the page about the command is. */
export const CLI_PAGE = "docs/reference/cli.md";

/** What is above it is written by people, what is below by `npm run reference`. */
const BORDER = "<!-- Below: the help of each command, written by `npm run reference`. -->\n";

type Levelset = Awaited<ReturnType<typeof program>>;

/** The page with the help of every command as it is now. What people wrote on it stays. */
export async function cliPage(page: string): Promise<string> {
  const never = new AbortController().signal;
  const quiet = (): void => {};
  const io = { stdout: quiet, stderr: quiet, exitCode: quiet, stdin: () => Promise.resolve("") };
  const levelset = await program({ ...io, env: {}, cwd: ".", clock: realClock, signal: () => never });
  const [written = ""] = page.split(BORDER);
  return `${written}${BORDER}${sections(levelset, "levelset").join("")}`;
}

function sections(command: Levelset, path: string): readonly string[] {
  const own = `\n## \`${path}\`\n\n\`\`\`text\n${helpOf(command)}\`\`\`\n`;
  return [own, ...command.commands.flatMap((each) => sections(each, `${path} ${each.name()}`))];
}

/** All that `--help` prints, what follows the options included. */
function helpOf(command: Levelset): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => void (text += part) });
  command.outputHelp();
  return text;
}
