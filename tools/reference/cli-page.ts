import { commandLine } from "./command-line.ts";
import type { CommandLine } from "./command-line.ts";

/** Where the page about the command is. */
export const CLI_PAGE = "docs/reference/cli.md";

/** What is above it is written by people, what is below by `npm run reference`. */
const BORDER = "<!-- Below: the help of each command, written by `npm run reference`. -->\n";

/** The page with the help of every command as it is now. What people wrote on it stays. */
export async function cliPage(page: string): Promise<string> {
  const [written = ""] = page.split(BORDER);
  return `${written}${BORDER}${sections(await commandLine(), "levelset").join("")}`;
}

function sections(command: CommandLine, path: string): readonly string[] {
  const own = `\n## \`${path}\`\n\n\`\`\`text\n${helpOf(command)}\`\`\`\n`;
  return [own, ...command.commands.flatMap((each) => sections(each, `${path} ${each.name()}`))];
}

/** All that `--help` prints, what follows the options included. */
function helpOf(command: CommandLine): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => void (text += part) });
  command.outputHelp();
  return text;
}
