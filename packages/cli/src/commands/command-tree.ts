import { Help } from "commander";
import type { Command, Option } from "commander";

/** Formats help texts: the tree of all commands for `levelset` itself, the default help for other commands. */
export function formatHelp(command: Command, helper: Help): string {
  if (command.parent !== null) return Help.prototype.formatHelp.call(helper, command, helper);
  const groups = [...Map.groupBy(command.commands, (each) => each.helpGroup())].map(([heading, commands]) => ({
    heading,
    entries: commands.flatMap((each) => entriesOf(each, each.name())),
  }));
  const options = helper
    .visibleOptions(command)
    .map((option) => [helper.optionTerm(option), helper.optionDescription(option)] as const);
  const all = [...groups, { heading: "Options:", entries: options }];
  const width = Math.max(...all.flatMap(({ entries }) => entries.map(([term]) => term.length)));
  const sections = all.flatMap(({ heading, entries }) => {
    const items = entries.map(([term, description]) => helper.formatItem(term, width, description, helper));
    return helper.formatItemList(heading, items, helper);
  });
  return [
    `Usage: ${helper.commandUsage(command)}`,
    "",
    helper.commandDescription(command),
    "",
    ...sections,
    "Run levelset COMMAND --help for the arguments, options and examples of a command.",
    "",
  ].join("\n");
}

/** Describes an option with its choices and default: `output format: text|json (default: text)`. */
export function optionDescription({ description, argChoices, ...option }: Option): string {
  const choices = argChoices === undefined ? "" : `: ${argChoices.join("|")}`;
  const isShown = option.defaultValue !== undefined && (option.required || option.optional);
  const text = option.defaultValueDescription ?? String(option.defaultValue);
  return `${description}${choices}${isShown ? ` (default: ${text})` : ""}`;
}

/** Returns path and description of a command and its subcommands, without commands that only group others. */
function entriesOf(command: Command, path: string): readonly (readonly [string, string])[] {
  const isGroup = command.commands.length > 0 && command.options.length === 0;
  const own = isGroup ? [] : [[path, command.description()] as const];
  return [...own, ...command.commands.flatMap((each) => entriesOf(each, `${path} ${each.name()}`))];
}
