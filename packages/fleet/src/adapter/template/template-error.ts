/** Thrown for a template that cannot be parsed, or whose execution failed. The message names the line. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
  /** Line of the template, from 1. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(`line ${line} of the template: ${message}`);
    this.line = line;
  }
}
